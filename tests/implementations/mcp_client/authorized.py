"""What the authorization scenarios ask in which a user logs in: use the tools of a server that wants an access token.

What a scenario is about, its servers bring: where the metadata is, which scopes they want, what they refuse. The SDK
follows that, so the client does the same in all of them.
"""

import httpx2
from connection import Run, Task, connected
from login import user_login
from mcp.shared.auth import OAuthClientInformationFull

TOOL = "test-tool"


async def use_tools(run: Run, auth: httpx2.Auth) -> None:
    """List the tools and call the one that there is."""
    async with connected(run, auth=auth) as client:
        await client.list_tools()
        await client.call_tool(TOOL, {})


async def log_in(run: Run) -> None:
    """Use the tools as a user who logs in when the server wants that."""
    await use_tools(run, user_login(run))


async def log_in_as_registered(run: Run) -> None:
    """Log in with the client id and secret of the context."""
    registered = OAuthClientInformationFull(
        client_id=run.context["client_id"],
        client_secret=run.context["client_secret"],
        token_endpoint_auth_method="client_secret_basic",
        issuer=run.context.get("issuer"),
    )
    await use_tools(run, user_login(run, registered=registered))


TASKS: dict[str, Task] = {
    "auth/pre-registration": log_in_as_registered,
    **dict.fromkeys(
        (
            "auth/2025-03-26-oauth-endpoint-fallback",
            "auth/2025-03-26-oauth-metadata-backcompat",
            "auth/authorization-server-migration",
            "auth/basic-cimd",
            "auth/iss-normalized",
            "auth/iss-not-advertised",
            "auth/iss-supported",
            "auth/iss-supported-missing",
            "auth/iss-unexpected",
            "auth/iss-wrong-issuer",
            "auth/metadata-default",
            "auth/metadata-issuer-mismatch",
            "auth/metadata-var1",
            "auth/metadata-var2",
            "auth/metadata-var3",
            "auth/offline-access-not-supported",
            "auth/offline-access-scope",
            "auth/resource-mismatch",
            "auth/scope-from-scopes-supported",
            "auth/scope-from-www-authenticate",
            "auth/scope-omitted-when-undefined",
            "auth/scope-retry-limit",
            "auth/scope-step-up",
            "auth/token-endpoint-auth-basic",
            "auth/token-endpoint-auth-none",
            "auth/token-endpoint-auth-post",
            # The SDK knows no DPoP: it logs in, and gets and uses plain bearer tokens.
            "auth/dpop",
            "auth/dpop-nonce",
        ),
        log_in,
    ),
}
