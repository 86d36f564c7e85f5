"""Grants that need no user: client credentials, an enterprise's identity, a workload's identity.

Specification: https://github.com/modelcontextprotocol/ext-auth (specification/draft); RFC 7523 and RFC 8693.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from pytest_mcp_conformance.json_values import shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.asking import ask, text_of
from pytest_mcp_conformance.reference.client.oauth.clients import Client
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault
from pytest_mcp_conformance.reference.client.oauth.identifiers import usable_endpoint
from pytest_mcp_conformance.reference.client.oauth.server import AUTHORIZATION_CODE
from pytest_mcp_conformance.reference.client.oauth.token_endpoint import (
    Token,
    TokenEndpoint,
    Wanted,
    resource_parameter,
    scope_parameter,
)

CLIENT_CREDENTIALS = "client_credentials"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"  # noqa: S105 -- the name of a grant
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"  # noqa: S105 -- the name of a type
IDENTITY_GRANT = "urn:ietf:params:oauth:token-type:id-jag"

TOO_MUCH = "wif.trigger-unauthorized"  # the scope for which every workload is refused, by agreement


async def by_client_credentials(endpoint: TokenEndpoint, wanted: Wanted, client: Client) -> Token:
    """Obtain a token for the client itself.

    Source: oauth-client-credentials (draft); OAuth 2.1 (draft 13), 4.2.
    """
    _expect(CLIENT_CREDENTIALS, wanted)
    form = {"grant_type": _named(CLIENT_CREDENTIALS, endpoint.faults), **scope_parameter(wanted.scopes)}
    return await endpoint.token(wanted, client, form)


async def by_workload_identity(
    endpoint: TokenEndpoint, wanted: Wanted, client: Client, assertions: Mapping[str, str]
) -> Token:
    """Obtain a token for the JWT that the platform gave to this workload. One that is refused is not tried again.

    :param assertions: `valid_jwt`; with faults, also `expired_jwt` and `wrong_audience_jwt`.

    Source: RFC 7523, 2.1.
    """
    _expect(JWT_BEARER, wanted)
    faults = endpoint.faults
    scope = scope_parameter(wanted.scopes)
    form = {"grant_type": _named(JWT_BEARER, faults), **workload_assertion(assertions, faults), **scope}
    repeated = OAuthFault.REFUSED_WORKLOAD_REPEATED in faults
    if repeated or OAuthFault.REFUSED_WORKLOAD_FALLS_BACK in faults:
        try:
            return await endpoint.token(wanted, client, {**form, "scope": TOO_MUCH})
        except ClientFailure:
            other = {"grant_type": AUTHORIZATION_CODE, "code": "invented"}
            return await endpoint.token(wanted, client, form if repeated else other)
    return await endpoint.token(wanted, client, form)


async def by_enterprise_identity(
    endpoint: TokenEndpoint, wanted: Wanted, client: Client, identity: Mapping[str, str]
) -> Token:
    """Obtain a token by the identity that the enterprise's provider vouches for.

    :param identity: `idp_id_token`, `idp_token_endpoint` and `idp_client_id`.

    Source: enterprise-managed-authorization (draft), 4 and 5.
    """
    _expect(JWT_BEARER, wanted)
    assertion = await _identity_grant(endpoint, wanted, identity)
    form = {"grant_type": JWT_BEARER, "assertion": assertion, **scope_parameter(wanted.scopes)}
    return await endpoint.token(wanted, client, form)


def workload_assertion(assertions: Mapping[str, str], faults: Container[str] = frozenset()) -> dict[str, str]:
    """Return the member of the form that carries a workload's JWT."""
    if OAuthFault.WORKLOAD_ASSERTION_MISSING in faults:
        return {}
    if OAuthFault.WORKLOAD_ASSERTION_EXPIRED in faults:
        return {"assertion": assertions["expired_jwt"]}
    if OAuthFault.WORKLOAD_ASSERTION_FOR_ANOTHER in faults:
        return {"assertion": assertions["wrong_audience_jwt"]}
    if OAuthFault.WORKLOAD_ASSERTION_ALTERED in faults:
        signed, _, signature = assertions["valid_jwt"].rpartition(".")
        first = "B" if signature.startswith("A") else "A"
        return {"assertion": f"{signed}.{first}{signature[1:]}"}
    return {"assertion": assertions["valid_jwt"]}


async def _identity_grant(endpoint: TokenEndpoint, wanted: Wanted, identity: Mapping[str, str]) -> str:
    """Exchange the user's ID token for a grant at the authorization server of the MCP server."""
    url = identity.get("idp_token_endpoint", "")
    if not usable_endpoint(url):
        raise ClientFailure(f"the token endpoint of the identity provider is no HTTPS URL: {shown(url)}")
    form = {
        "grant_type": TOKEN_EXCHANGE,
        "requested_token_type": IDENTITY_GRANT,
        "subject_token": identity["idp_id_token"],
        "subject_token_type": ID_TOKEN,
        "audience": wanted.server.issuer,
        "resource": resource_parameter(wanted.resource, endpoint.faults),
        **scope_parameter(wanted.scopes),
    }
    if "idp_client_id" in identity:
        form["client_id"] = identity["idp_client_id"]
    if OAuthFault.EXCHANGE_WITHOUT_RESOURCE in endpoint.faults:
        del form["resource"]
    answer = await ask(endpoint.http, "POST", url, form=form)
    grant = text_of(answer.document.get("access_token"))
    if not answer.ok or grant is None or answer.document.get("issued_token_type") != IDENTITY_GRANT:
        raise ClientFailure(f"the identity provider gave no grant for the authorization server: {answer.told}")
    return grant


def _expect(grant: str, wanted: Wanted) -> None:
    """:raises ClientFailure: the authorization server does not know the grant."""
    if grant not in wanted.server.grants:
        raise ClientFailure(f"the authorization server {wanted.server.issuer} does not know the grant {grant}")


def _named(grant: str, faults: Container[str]) -> str:
    if OAuthFault.NO_TOKEN_REQUEST in faults:
        raise ClientFailure("no token was asked for")
    return f"{grant}s" if OAuthFault.GRANT_MISNAMED in faults else grant
