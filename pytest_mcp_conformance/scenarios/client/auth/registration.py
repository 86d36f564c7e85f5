"""Registration: how a client becomes known to an authorization server without registering anew.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#client-registration-approaches
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.client_authentication import Credentials
from pytest_mcp_conformance.oauth.clients import CLIENT_SECRET_BASIC, Client
from pytest_mcp_conformance.oauth.errors import OAuthError, invalid_client
from pytest_mcp_conformance.oauth.events import AuthorizationRequested, Event, TokenRequested
from pytest_mcp_conformance.oauth.metadata import ServerMetadata
from pytest_mcp_conformance.oauth.server_setup import ServerSetup, TokenRequest
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.observed import WHOLE_FLOW
from pytest_mcp_conformance.scenarios.client.auth.staging import put
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

LISTS = frozenset({"core", "auth"})
CLIENT_ID_URL = "https://conformance-test.local/client-metadata.json"  # published; it need not resolve

CLIENT_ID_URL_USED = Requirement(
    id="cimd-client-id-used",
    name="Client ID Metadata Document Usage",
    level=Level.SHOULD,
    text="Where the authorization server supports it, the client identifies itself by the URL of its metadata document.",
    spec=(references.CLIENT_ID_DOCUMENTS, references.IETF_CLIENT_ID_DOCUMENTS),
)
DOCUMENT_DECIDES = (CLIENT_ID_URL_USED, *WHOLE_FLOW)

PREREGISTERED = Client(
    id="pre-registered-client",
    secret="pre-registered-secret",  # noqa: S106 -- published, and good for nothing else
    auth_method=CLIENT_SECRET_BASIC,
)
PREREGISTERED_USED = Requirement(
    id="pre-registration-auth",
    name="Pre-registration authentication",
    level=Level.SHOULD,
    text="The client authenticates itself with the credentials that it was given, by HTTP Basic.",
    spec=(references.PREREGISTRATION,),
)
PREREGISTERED_DECIDES = (PREREGISTERED_USED, *WHOLE_FLOW)


@client_scenario(
    name="auth/basic-cimd",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="The authorization server supports Client ID Metadata Documents: a URL is all the registration that is needed.",
    task=f"Connect and authorize, with the client_id {CLIENT_ID_URL}; then use the server.",
    decides=DOCUMENT_DECIDES,
)
async def client_id_document(stage: Stage, checks: Checks) -> None:
    def listener(event: Event) -> None:
        if not isinstance(event, AuthorizationRequested):
            return
        # SHOULD use one where the metadata say that it is supported: 2025-11-25,
        # basic/authorization#client-registration-approaches
        client_id = event.parameters.get("client_id") or "none"
        checks.decide(
            CLIENT_ID_URL_USED,
            client_id == CLIENT_ID_URL,
            expected=f"client_id {CLIENT_ID_URL}",
            got=client_id,
            details={"expectedClientId": CLIENT_ID_URL, "actualClientId": client_id},
        )

    setup = ServerSetup(metadata=ServerMetadata(client_id_documents=True))
    cast = await put(stage, checks, DOCUMENT_DECIDES, setup=setup, listener=listener)
    await stage.client(cast.url)
    if not cast.log.of(AuthorizationRequested):
        checks.fail(CLIENT_ID_URL_USED, expected="an authorization request", got=Shown("none"))


@client_scenario(
    name="auth/pre-registration",
    introduced_in="2025-11-25",
    lists=LISTS,
    purpose="The authorization server registers nobody: the client has an id and a secret from elsewhere.",
    task="Connect and authorize with the client_id and client_secret of the context, by client_secret_basic; use the server.",
    decides=PREREGISTERED_DECIDES,
)
async def preregistration(stage: Stage, checks: Checks) -> None:
    def listener(event: Event) -> None:
        if isinstance(event, TokenRequested):
            _decide_credentials(checks, event.credentials)

    setup = ServerSetup(
        metadata=ServerMetadata(auth_methods=(CLIENT_SECRET_BASIC,), registers=False),
        clients=(PREREGISTERED,),
        guards=(_known_beforehand,),
        authenticates=True,
    )
    cast = await put(stage, checks, PREREGISTERED_DECIDES, setup=setup, listener=listener)
    context = {
        "client_id": PREREGISTERED.id,
        "client_secret": PREREGISTERED.secret,
        "issuer": cast.authorization.issuer,
    }
    await stage.client(cast.url, context={**context})
    if not cast.log.of(TokenRequested):
        checks.fail(PREREGISTERED_USED, expected="a token request", got=Shown("none"))


def _known_beforehand(request: TokenRequest) -> OAuthError | None:
    """Refuse whoever registered at the endpoint that the metadata do not have."""
    if request.credentials.client_id == PREREGISTERED.id:
        return None
    return invalid_client("Only the client of the context is known here", scheme=request.credentials.scheme)


def _decide_credentials(checks: Checks, presented: Credentials) -> None:
    if presented.method != CLIENT_SECRET_BASIC:
        checks.fail(PREREGISTERED_USED, expected="Basic credentials", got=presented.method)
    elif (presented.client_id, presented.secret) != (PREREGISTERED.id, PREREGISTERED.secret):
        checks.fail(
            PREREGISTERED_USED,
            expected=f"the id {PREREGISTERED.id} and its secret",
            got=presented.client_id,
            details={"expectedClientId": PREREGISTERED.id, "actualClientId": presented.client_id},
        )
    else:
        checks.succeed(PREREGISTERED_USED, details={"clientId": PREREGISTERED.id})
