"""DPoP: the token of a client is good only in the hands of the client, who proves with every request that it has the key.

Specification: https://github.com/modelcontextprotocol/modelcontextprotocol/pull/1932 (SEP-1932); RFC 9449
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.metadata import ServerMetadata
from pytest_mcp_conformance.oauth.server_setup import ServerSetup
from pytest_mcp_conformance.oauth.tokens import random_text
from pytest_mcp_conformance.scenarios.client.auth import extension_references as references
from pytest_mcp_conformance.scenarios.client.auth.dpop_servers import Nonce, ProvingResource, ProvingTokenEndpoint
from pytest_mcp_conformance.scenarios.client.auth.extension_flows import WITHOUT_BEARER
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

EXTENSION = "io.modelcontextprotocol/auth/dpop"

TOKEN_PROOF = Requirement(
    id="sep-1932-client-token-request-proof",
    name="DpopTokenRequestProof",
    level=Level.MUST,
    text="Every token request with a code carries one valid proof.",
    spec=(references.DPOP, references.DPOP_EXTENSION, references.DPOP_TOKEN_REQUEST),
)
SCHEME = Requirement(
    id="sep-1932-client-dpop-auth-scheme",
    name="DpopAuthScheme",
    level=Level.MUST,
    text="Every MCP request with a token presents it with the scheme DPoP.",
    spec=(references.DPOP, references.DPOP_EXTENSION, references.DPOP_SCHEME),
)
FRESH_PROOF = Requirement(
    id="sep-1932-client-fresh-proof",
    name="DpopFreshProof",
    level=Level.MUST,
    text="Every MCP request with a token carries a valid proof of its own, for this token and by its key.",
    spec=(references.DPOP_PROOF_CHECKING, references.DPOP_PROOF_SYNTAX, references.DPOP_EXTENSION),
)
SERVER_NONCE = Requirement(
    id="sep-1932-client-as-nonce",
    name="DpopAsNonce",
    level=Level.MUST,
    text="The client repeats its token request with the nonce that the authorization server demands.",
    spec=(references.DPOP, references.DPOP_EXTENSION, references.DPOP_SERVER_NONCE),
)
RESOURCE_NONCE = Requirement(
    id="sep-1932-client-rs-nonce",
    name="DpopRsNonce",
    level=Level.MUST,
    text="The client repeats its MCP request with the nonce that the MCP server demands.",
    spec=(references.DPOP, references.DPOP_EXTENSION, references.DPOP_RESOURCE_NONCE),
)

WITHOUT_NONCE = (TOKEN_PROOF, SCHEME, FRESH_PROOF, *WITHOUT_BEARER)
WITH_NONCE = (TOKEN_PROOF, SCHEME, FRESH_PROOF, SERVER_NONCE, RESOURCE_NONCE, *WITHOUT_BEARER)


@client_scenario(
    name="auth/dpop",
    extension=EXTENSION,
    lists=frozenset({"extensions"}),
    purpose="The client gets a token that is bound to its key, and proves with every request that it has the key.",
    task=(
        "Find the authorization server, register, get a code with PKCE, send a DPoP proof with the token request, connect, "
        "list the tools and call test-tool with the scheme DPoP and a new proof for each request, and end."
    ),
    decides=WITHOUT_NONCE,
)
async def dpop(stage: Stage, checks: Checks) -> None:
    await _played(stage, checks, WITHOUT_NONCE, ProvingTokenEndpoint(), ProvingResource())


@client_scenario(
    name="auth/dpop-nonce",
    extension=EXTENSION,
    lists=frozenset({"extensions"}),
    purpose="The client repeats a request with the nonce that a server demands in its proof.",
    task=(
        "As in auth/dpop. Each server refuses a proof without its nonce with use_dpop_nonce and says the nonce in DPoP-Nonce: "
        "repeat the request with a new proof that has it, and go on using it with this server."
    ),
    decides=WITH_NONCE,
)
async def dpop_nonce(stage: Stage, checks: Checks) -> None:
    # MUST NOT be predictable: RFC 9449, 8
    at_token_endpoint, at_resource = Nonce(random_text("as-nonce")), Nonce(random_text("rs-nonce"))
    endpoint, resource = ProvingTokenEndpoint(at_token_endpoint), ProvingResource(at_resource)
    await _played(stage, checks, WITH_NONCE, endpoint, resource)
    _decide_nonce(checks, SERVER_NONCE, at_token_endpoint)
    _decide_nonce(checks, RESOURCE_NONCE, at_resource)


async def _played(
    stage: Stage,
    checks: Checks,
    decides: tuple[Requirement, ...],
    endpoint: ProvingTokenEndpoint,
    resource: ProvingResource,
) -> None:
    """Let the client run, and decide on its proofs."""
    setup = ServerSetup(
        metadata=ServerMetadata(more={"dpop_signing_alg_values_supported": ["ES256"]}),
        guards=(endpoint.judge,),
        mint=endpoint.mint,
    )
    cast = await put(stage, checks, decides, setup=setup, admission=resource.admit)
    await stage.client(cast.url)
    checks.decide(
        TOKEN_PROOF,
        endpoint.requests > 0 and endpoint.fault is None,
        expected="a token request with a code and one valid proof",
        got=Shown(endpoint.fault or "none"),
        details={
            "tokenRequestObserved": endpoint.requests > 0,
            "validProofPresented": endpoint.requests > 0 and endpoint.fault is None,
        },
    )
    _decide_access(checks, resource)


def _decide_access(checks: Checks, resource: ProvingResource) -> None:
    """Decide on what came to the MCP server with a token."""
    schemes: list[JsonValue] = [*dict.fromkeys(resource.schemes)]
    requests = len(resource.schemes)
    checks.decide(
        SCHEME,
        requests > 0 and resource.only_dpop,
        expected="requests with a token by the scheme DPoP",
        got=schemes or Shown("none"),
        details={"authenticatedRequests": requests, "observedSchemes": schemes},
    )
    checks.decide(
        FRESH_PROOF,
        requests > 0 and resource.fault is None and not resource.replayed,
        expected="a valid proof with every request that has a token, and none twice",
        got=Shown(resource.fault or ("a jti came twice" if resource.replayed else "no request with a token")),
        details={
            "authenticatedRequests": requests,
            "distinctJtis": len(resource.jtis),
            "replayDetected": resource.replayed,
        },
    )


def _decide_nonce(checks: Checks, requirement: Requirement, nonce: Nonce) -> None:
    """Decide on a nonce. A client that never came to be asked for it did not show that it can."""
    got = "it was demanded and not used" if nonce.demanded else "nothing came that it could be demanded of"
    checks.decide(
        requirement,
        nonce.demanded and nonce.honoured,
        expected="the request once more, with the nonce in a valid proof",
        got=Shown(got),
        details={"challengeIssued": nonce.demanded, "nonceHonored": nonce.honoured},
    )
