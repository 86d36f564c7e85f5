"""What is decided about every request of a client to the servers of these scenarios, when it comes.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
"""

from __future__ import annotations

from dataclasses import replace

from pytest_mcp_conformance.checks import Checks, Details
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown
from pytest_mcp_conformance.model import DRAFT, Level, Requirement, Revision
from pytest_mcp_conformance.oauth.clients import Client
from pytest_mcp_conformance.oauth.events import (
    AUTHORIZATION_CODE,
    AccessRequested,
    AuthorizationRequested,
    Event,
    Registered,
    ResourceMetadataRead,
    ServerMetadataRead,
    TokenRequested,
)
from pytest_mcp_conformance.oauth.pkce import S256
from pytest_mcp_conformance.oauth.protected_resource import is_bearer
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.authorization_request import AS_REGISTERED, EXPECTED, problems_of

SHOWN_OF_TOKEN = 15  # characters: enough to tell tokens apart
APPLICATION_TYPES = ("native", "web")

PRM_READ = Requirement(
    id="prm-pathbased-requested",
    name="PRMPathBasedRequested",
    level=Level.MUST,
    text="The client reads the metadata of the protected resource where they are.",
    spec=(references.RFC_9728, references.PRM_DISCOVERY),
)
METADATA_READ = Requirement(
    id="authorization-server-metadata",
    name="AuthorizationServerMetadata",
    level=Level.MUST,
    text="The client reads the metadata of the authorization server where they are.",
    spec=(references.RFC_8414, references.METADATA_DISCOVERY),
)
REGISTRATION = Requirement(
    id="client-registration",
    name="ClientRegistration",
    level=Level.MAY,
    text="The client registers itself.",
    spec=(references.DYNAMIC_REGISTRATION,),
)
APPLICATION_TYPE = Requirement(
    id="sep-837-application-type-present",
    name="DCR application_type specified",
    level=Level.MUST,
    text="A client that registers itself says that it is a native or a web application.",
    spec=(references.DYNAMIC_REGISTRATION,),
    since=DRAFT,
)
AUTHORIZATION = Requirement(
    id="authorization-request",
    name="AuthorizationRequest",
    level=Level.MUST,
    text="The client asks for a code at the authorization endpoint.",
    spec=(references.AUTHORIZATION_ENDPOINT,),
)
CHALLENGE_SENT = Requirement(
    id="pkce-code-challenge-sent",
    name="PKCE Code Challenge",
    level=Level.MUST,
    text="An authorization request has a code_challenge.",
    spec=(references.PKCE,),
)
S256_USED = Requirement(
    id="pkce-s256-method-used",
    name="PKCE S256 Method",
    level=Level.MUST,
    text="An authorization request names S256 as its code_challenge_method.",
    spec=(references.PKCE,),
)
TOKEN = Requirement(
    id="token-request",
    name="TokenRequest",
    level=Level.MUST,
    text="The client asks for a token at the token endpoint.",
    spec=(references.TOKEN_REQUEST,),
)
VERIFIER_SENT = Requirement(
    id="pkce-code-verifier-sent",
    name="PKCE Code Verifier",
    level=Level.MUST,
    text="A client that redeems a code sends its code_verifier.",
    spec=(references.PKCE,),
)
VERIFIER_MATCHES = Requirement(
    id="pkce-verifier-matches-challenge",
    name="PKCE Verifier Validation",
    level=Level.MUST,
    text="The code_verifier fits the code_challenge of the authorization request.",
    spec=(references.PKCE,),
)
TOKEN_PRESENTED = Requirement(
    id="valid-bearer-token",
    name="ValidBearerToken",
    level=Level.MUST,
    text="The client presents a token that was issued to it, in the Authorization header.",
    spec=(references.TOKEN_USAGE,),
)
TOKEN_UNKNOWN = Requirement(
    id="invalid-bearer-token",
    name="InvalidBearerToken",
    level=Level.MUST,
    text="The client presents no token that was not issued to it.",
    spec=(references.TOKEN_USAGE,),
    exceptional=True,
)


def optional(requirement: Requirement) -> Requirement:
    """Return `requirement` for scenarios in which a conforming client need not come to it."""
    return replace(requirement, exceptional=True)


OF_REGISTRATION = (optional(REGISTRATION), optional(APPLICATION_TYPE))
OF_CODE = (AUTHORIZATION, CHALLENGE_SENT, S256_USED)
OF_TOKEN = (TOKEN, VERIFIER_SENT, VERIFIER_MATCHES)
OF_ACCESS = (TOKEN_PRESENTED, TOKEN_UNKNOWN)

WHOLE_FLOW = (PRM_READ, METADATA_READ, *OF_REGISTRATION, *OF_CODE, AS_REGISTERED, *OF_TOKEN, *OF_ACCESS)
"""What a client comes to that goes all the way, however it becomes known to the authorization server."""

CUT_SHORT = (
    PRM_READ,
    METADATA_READ,
    *OF_REGISTRATION,
    *OF_CODE,
    AS_REGISTERED,
    *map(optional, (*OF_TOKEN, *OF_ACCESS)),
)
"""What a client comes to that is meant to stop before the token endpoint."""


class Observer:
    """Decides on each event.

    :param decides: what the scenario decides; of the requirements above the others are passed over, and where it has one of its
        own with the same id, that is decided.
    """

    def __init__(self, checks: Checks, revision: Revision, decides: tuple[Requirement, ...]) -> None:
        self._checks = checks
        self._revision = revision
        self._decides = {requirement.id: requirement for requirement in decides}
        self._registered: dict[str, dict[str, Client]] = {}  # by id, by server

    def __call__(self, event: Event) -> None:
        """Decide on one request."""
        match event:
            case ResourceMetadataRead():
                self._decide(PRM_READ, details={"url": event.url, "path": event.http.path})
            case ServerMetadataRead():
                self._decide(METADATA_READ, details={"url": event.url, "path": event.http.path})
            case Registered():
                self._has_registered(event)
            case AuthorizationRequested():
                self._asked_for_code(event)
            case TokenRequested():
                self._asked_for_token(event)
            case AccessRequested() if is_bearer(event):
                self._presented(event)
            case _:
                pass

    def _decide(
        self,
        requirement: Requirement,
        holds: bool = True,  # noqa: FBT001, FBT002 -- the decision itself; most only say that something came
        *,
        details: Details | None = None,
        expected: str = "",
        got: object = None,
    ) -> None:
        declared = self._decides.get(requirement.id)
        if declared is not None and declared.applies_at(self._revision):
            self._checks.decide(declared, holds, expected=expected, got=got, details=details)

    def _has_registered(self, event: Registered) -> None:
        self._registered.setdefault(event.server, {})[event.client.id] = event.client
        name, method = event.metadata.get("client_name"), event.client.auth_method
        details: JsonObject = {"endpoint": "/register", "clientName": name, "tokenEndpointAuthMethod": method}
        self._decide(REGISTRATION, details=details)
        # MUST be there: 2026-07-28, basic/authorization/client-registration#application-type-and-redirect-uri-constraints
        kind = event.metadata.get("application_type", "(omitted)")
        self._decide(
            APPLICATION_TYPE,
            kind in APPLICATION_TYPES,
            expected="an application_type, native or web",
            got=kind,
            details={"application_type": kind},
        )

    def _asked_for_code(self, event: AuthorizationRequested) -> None:
        query = event.parameters.as_json()
        self._decide(AUTHORIZATION, details={"query": query})
        # MUST use PKCE, MUST use S256 where technically capable: 2025-11-25,
        # basic/authorization#authorization-code-protection
        sent = event.parameters.get("code_challenge") is not None
        self._decide(CHALLENGE_SENT, sent, expected="a code_challenge", got=query)
        method = event.parameters.get("code_challenge_method") or "not specified"
        self._decide(
            S256_USED,
            method == S256,
            expected=f"code_challenge_method {S256}",
            got=method,
            details={"method": method},
        )
        problems = list(problems_of(event, self._registered.get(event.server, {})))
        self._decide(AS_REGISTERED, not problems, expected=EXPECTED, got=Shown(", ".join(problems)))

    def _asked_for_token(self, event: TokenRequested) -> None:
        self._decide(TOKEN, details={"endpoint": "/token", "grantType": event.grant_type})
        if event.grant_type != AUTHORIZATION_CODE:
            return
        proof = event.proof
        named: list[JsonValue] = [*event.parameters.values]
        self._decide(VERIFIER_SENT, proof.verifier is not None, expected="a code_verifier", got=named)
        self._decide(
            VERIFIER_MATCHES,
            proof.holds,
            expected="a code_verifier that the code_challenge of the authorization request was made from",
            got=proof.computed or "no code_verifier",
            details={
                "matches": proof.holds,
                "storedChallenge": proof.challenge or "not sent",
                "computedChallenge": proof.computed or "not computed",
            },
        )

    def _presented(self, event: AccessRequested) -> None:
        shown = f"{(event.presented or '')[:SHOWN_OF_TOKEN]}..."
        if event.token is None:
            self._decide(
                TOKEN_UNKNOWN, holds=False, expected="a token that was issued", got=shown, details={"token": shown}
            )
            return
        scopes: list[JsonValue] = [*event.token.scopes]
        self._decide(TOKEN_PRESENTED, details={"token": shown, "scopes": scopes})
