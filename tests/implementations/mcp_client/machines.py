"""What the authorization scenarios ask in which no user logs in: the client has credentials of its own."""

from authorized import use_tools
from connection import Run, Task, http_client
from login import Memory
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
    SignedJWTParameters,
    static_assertion_provider,
)
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.client.auth.utils import (
    build_protected_resource_metadata_discovery_urls,
    create_oauth_metadata_request,
    handle_protected_resource_response,
)

TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"


async def use_a_secret(run: Run) -> None:
    """Authenticate with client id and secret."""
    await use_tools(
        run,
        ClientCredentialsOAuthProvider(
            run.url, Memory(), client_id=run.context["client_id"], client_secret=run.context["client_secret"]
        ),
    )


async def use_a_key(run: Run) -> None:
    """Authenticate with assertions signed by the client's key."""
    client_id = run.context["client_id"]
    signing = SignedJWTParameters(
        issuer=client_id,
        subject=client_id,
        signing_key=run.context["private_key_pem"],
        signing_algorithm=run.context.get("signing_algorithm", "ES256"),
    )
    await use_tools(
        run,
        PrivateKeyJWTOAuthProvider(
            run.url, Memory(), client_id=client_id, assertion_provider=signing.create_assertion_provider()
        ),
    )


async def use_the_workload_identity(run: Run) -> None:
    """Present the JWT of the workload.

    The SDK presents such a JWT as the client's authentication (RFC 7523, 2.2). It has nothing for the grant that the
    scenario is about (2.1) but for a client with a secret, which a workload does not have.
    """
    await use_tools(
        run,
        PrivateKeyJWTOAuthProvider(
            run.url,
            Memory(),
            client_id=run.context["client_id"],
            assertion_provider=static_assertion_provider(run.context["valid_jwt"]),
        ),
    )


async def authorization_server_of(url: str) -> str:
    """Return the issuer that the metadata of the server at `url` names; the SDK wants it configured."""
    async with http_client() as http:
        for place in build_protected_resource_metadata_discovery_urls(None, url):
            metadata = await handle_protected_resource_response(await http.send(create_oauth_metadata_request(place)))
            if metadata is not None:
                return str(metadata.authorization_servers[0])
    raise OAuthFlowError(f"No protected resource metadata at {url}")


async def use_the_enterprise_login(run: Run) -> None:
    """Trade the ID token of the enterprise's login for a grant that the authorization server takes."""

    async def grant(audience: str, resource: str) -> str:
        """Exchange the ID token at the identity provider (RFC 8693), which the SDK leaves to the host."""
        async with http_client() as http:
            response = await http.post(
                run.context["idp_token_endpoint"],
                data={
                    "grant_type": TOKEN_EXCHANGE,
                    "requested_token_type": ID_JAG,
                    "subject_token": run.context["idp_id_token"],
                    "subject_token_type": ID_TOKEN,
                    "audience": audience,
                    "resource": resource,
                    "client_id": run.context["idp_client_id"],
                },
            )
        response.raise_for_status()
        issued: str = response.json()["access_token"]
        return issued

    await use_tools(
        run,
        IdentityAssertionOAuthProvider(
            run.url,
            Memory(),
            client_id=run.context["client_id"],
            client_secret=run.context["client_secret"],
            issuer=await authorization_server_of(run.url),
            assertion_provider=grant,
            token_endpoint_auth_method="client_secret_basic",
        ),
    )


TASKS: dict[str, Task] = {
    "auth/client-credentials-basic": use_a_secret,
    "auth/client-credentials-jwt": use_a_key,
    "auth/enterprise-managed-authorization": use_the_enterprise_login,
    "auth/wif-jwt-bearer": use_the_workload_identity,
}
