"""Whatever servers send, the client goes on or says why it does not; no other exception leaves the authorizer."""

from __future__ import annotations

import httpx
import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, dumps
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from tests.reference.client.oauth.played import ISSUER, RESOURCE_METADATA, SERVER, Played, refusal

JUNK: list[JsonValue] = [
    None,
    True,
    0,
    1e300,
    "",
    " ",
    "\x00",
    "é",
    "\ud800",
    "http://[",
    "https://as.example:port/",
    "https://\ud800/",
    "javascript:alert(1)",
    "a" * 5000,
    [],
    [[]],
    ["\ud800", "http://[", ""],
    {},
    {"resource": {}},
]
METADATA = f"{ISSUER}/.well-known/oauth-authorization-server"
FULL: JsonObject = {
    "authorization_response_iss_parameter_supported": False,
    "client_id_metadata_document_supported": False,
    "grant_types_supported": ["authorization_code"],
    "scopes_supported": ["offline_access"],
    "dpop_signing_alg_values_supported": ["ES256"],
}


def with_junk(document: JsonObject, name: str, junk: JsonValue) -> httpx.Response:
    """Return a response with `junk` in the place of one member; JSON may say what UTF-8 cannot."""
    return httpx.Response(200, content=dumps({**document, name: junk}).encode())


async def goes_on_or_says_why(played: Played) -> None:
    """Authorize for a first token, for a new one and for more scopes."""
    client = played.client()
    try:
        for challenge, status in (
            ("Bearer", 401),
            ("Bearer", 401),
            ('Bearer error="insufficient_scope", scope=x', 403),
        ):
            assert await client.authorize(refusal(client, challenge, status=status)) in {True, False}
            for value in client.headers("POST", SERVER).values():
                httpx.Headers({"x": value}).raw[0][1].decode("ascii")
    except ClientFailure:
        return


@pytest.mark.parametrize("junk", JUNK, ids=ascii)
async def test_metadata_with_junk_in_any_member(junk: JsonValue) -> None:
    for url in (RESOURCE_METADATA, METADATA):
        whole: JsonObject = {**Played().documents[url], **(FULL if url == METADATA else {"scopes_supported": ["a"]})}
        for name in whole:
            played = Played()
            played.replies[url] = with_junk(whole, name, junk)
            await goes_on_or_says_why(played)


@pytest.mark.parametrize("junk", JUNK, ids=ascii)
async def test_registrations_and_tokens_with_junk_in_any_member(junk: JsonValue) -> None:
    registration: JsonObject = {"client_id": "me", "client_secret": "s", "token_endpoint_auth_method": "none"}
    token: JsonObject = {
        "access_token": "t",
        "token_type": "Bearer",
        "refresh_token": "r",
        "scope": "a",
        "expires_in": 1,
    }
    for name in registration:
        played = Played()
        played.replies[f"{ISSUER}/register"] = with_junk(registration, name, junk)
        await goes_on_or_says_why(played)
    for name in token:
        answer = with_junk(token, name, junk)
        await goes_on_or_says_why(Played(token=lambda _, answer=answer: answer))  # type: ignore[misc]


@pytest.mark.parametrize(
    "location",
    [
        "",
        "http://[",
        "//",
        "?",
        "?code=x",
        "%",
        "http://localhost:port/callback",
        "http://localhost:3000/callback?%ff=&=&&",
    ],
)
async def test_redirects_to_anywhere(location: str) -> None:
    played = Played()
    played.replies[f"{ISSUER}/authorize"] = httpx.Response(302, headers={"Location": location})
    client = played.client()
    with pytest.raises(ClientFailure, match=r"sen[dt]|answer"):
        await client.authorize(refusal(client))


@pytest.mark.parametrize("body", [b"", b"\xff", b"{", b"[]", b"7", b"{}" * 2, b"[" * 5000])
async def test_bodies_that_are_no_document(body: bytes) -> None:
    for url in (RESOURCE_METADATA, METADATA, f"{ISSUER}/register", f"{ISSUER}/token"):
        played = Played()
        played.replies[url] = httpx.Response(200, content=body)
        await goes_on_or_says_why(played)


async def test_a_server_that_does_not_answer() -> None:
    def unreachable(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody there")

    client = Played(token=unreachable).client()
    with pytest.raises(ClientFailure, match="nobody there"):
        await client.authorize(refusal(client))
