"""The gate in front of an MCP server."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_mcp_conformance.oauth.events import AccessRequested, Log, NotServed, ResourceMetadataRead
from pytest_mcp_conformance.oauth.metadata import RESOURCE_LOCATION, RESOURCE_ROOT, ResourceMetadata
from pytest_mcp_conformance.oauth.protected_resource import (
    BearerAdmission,
    Challenge,
    ProtectedResource,
    needs_no_token,
)
from pytest_mcp_conformance.oauth.tokens import Token, TokenStore
from pytest_mcp_conformance.serving.http import HttpReply
from tests.oauth.requests import JSON, request, told

BASE = "http://localhost:5000"
METADATA = ResourceMetadata(authorization_servers=("http://localhost:4000",))


def gate(metadata: ResourceMetadata | None = METADATA, admission: BearerAdmission | None = None) -> ProtectedResource:
    tokens = TokenStore()
    tokens.add(Token(value="good", issuer="i", scopes=("a",)))
    made = ProtectedResource(metadata, log=Log(), tokens=tokens, admission=admission or BearerAdmission())
    made.base = BASE
    return made


def called(
    at: ProtectedResource, authorization: str | None, *, body: bytes = b'{"method": "tools/list"}', query: str = ""
) -> HttpReply | None:
    headers = {"content-type": JSON} | ({} if authorization is None else {"authorization": authorization})
    return at.intercept(request("POST", "/mcp", body=body, headers=headers, query=query))


POINTER = f'resource_metadata="{BASE}{RESOURCE_LOCATION}"'
DESCRIBED = 'error_description="The access token was not issued for this server"'


@pytest.mark.parametrize(
    ("authorization", "status", "challenge"),
    [
        ("Bearer good", None, None),
        ("bearer  good ", None, None),
        (None, 401, f"Bearer {POINTER}"),
        ("", 401, f"Bearer {POINTER}"),
        ("Bearer", 401, f"Bearer {POINTER}"),
        ("Basic Z29vZA==", 401, f"Bearer {POINTER}"),
        ("good", 401, f"Bearer {POINTER}"),
        ("Bearer bad", 401, f'Bearer error="invalid_token", {DESCRIBED}, {POINTER}'),
        ("Bearer good, Bearer good", 401, f'Bearer error="invalid_token", {DESCRIBED}, {POINTER}'),
    ],
)
def test_who_gets_through(authorization: str | None, status: int | None, challenge: str | None) -> None:
    at = gate()
    answer = called(at, authorization)
    assert (answer.status if answer else None) == status
    assert (answer.headers["www-authenticate"] if answer else None) == challenge
    [event] = at.log.of(AccessRequested)
    assert (event.status, event.rpc_method) == (status, "tools/list")


def test_a_token_in_the_query_is_none() -> None:
    answer = called(gate(), None, query="access_token=good")
    assert answer is not None
    assert answer.status == 401


@pytest.mark.parametrize(("scopes", "status"), [((), None), (("a",), None), (("a", "b"), 403), (("b",), 403)])
def test_a_token_needs_all_scopes(scopes: tuple[str, ...], status: int | None) -> None:
    answer = called(gate(admission=BearerAdmission(scopes=scopes)), "Bearer good")
    assert (answer.status if answer else None) == status
    if answer:
        assert f'scope="{" ".join(scopes)}"' in answer.headers["www-authenticate"]
        assert told(answer)["error"] == "insufficient_scope"


def test_a_challenge_says_what_it_is_told_to() -> None:
    admission = BearerAdmission(scopes=("a",), names_scopes=False, names_metadata=False)
    answer = called(gate(admission=admission), None)
    assert answer is not None
    assert answer.headers["www-authenticate"] == "Bearer"
    named = called(gate(None, BearerAdmission(scopes=("a", "b"))), None)
    assert named is not None
    assert named.headers["www-authenticate"] == 'Bearer scope="a b"'


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS", "PUT"])
def test_other_methods_are_for_the_endpoint(method: str) -> None:
    at = gate()
    assert at.intercept(request(method, "/mcp")) is None
    assert at.log.events == []


@pytest.mark.parametrize(
    ("body", "method"),
    [
        (b"{}", None),
        (b"[]", None),
        (b"", None),
        (b"{", None),
        (b'{"method": 7}', None),
        (b'[{"method": "initialize"}]', None),
        (json.dumps({"method": "initialize"}).encode(), "initialize"),
    ],
)
def test_a_body_that_tells_no_method_is_a_request_like_others(body: bytes, method: str | None) -> None:
    at = gate()
    called(at, "Bearer good", body=body)
    assert [event.rpc_method for event in at.log.of(AccessRequested)] == [method]


@pytest.mark.parametrize(
    ("method", "free"),
    [
        ("initialize", True),
        ("notifications/initialized", True),
        ("tools/list", False),
        (None, False),
        ("notifications", False),
    ],
)
def test_what_needs_no_token(method: str | None, *, free: bool) -> None:
    assert needs_no_token(AccessRequested(server="", http=request("POST", "/mcp"), rpc_method=method)) is free


@pytest.mark.parametrize(
    ("metadata", "location", "resource"),
    [
        (METADATA, RESOURCE_LOCATION, f"{BASE}/mcp"),
        (replace(METADATA, location=RESOURCE_ROOT), RESOURCE_ROOT, BASE),
        (replace(METADATA, location="/any.json"), "/any.json", f"{BASE}/mcp"),
        (replace(METADATA, resource="https://evil.example.com/mcp"), RESOURCE_LOCATION, "https://evil.example.com/mcp"),
    ],
)
def test_the_document_names_the_resource_that_its_location_is_made_from(
    metadata: ResourceMetadata, location: str, resource: str
) -> None:
    at = gate(metadata)
    answer = at.intercept(request("GET", location))
    assert answer is not None
    document = {"resource": resource, "authorization_servers": ["http://localhost:4000"]}
    assert told(answer) == document
    assert [event.document for event in at.log.of(ResourceMetadataRead)] == [document]
    assert at.metadata_url == f"{BASE}{location}"


def test_scopes_are_listed_where_there_are_some() -> None:
    answer = gate(replace(METADATA, scopes=("a", "b"))).intercept(request("GET", RESOURCE_LOCATION))
    assert answer is not None
    assert told(answer)["scopes_supported"] == ["a", "b"]


@pytest.mark.parametrize("path", [RESOURCE_ROOT, "/authorize", "/", "/mcp/"])
def test_what_is_not_there_is_for_the_endpoint_to_refuse_and_stands_in_the_log(path: str) -> None:
    at = gate()
    assert at.intercept(request("GET", path)) is None
    assert [event.http.path for event in at.log.of(NotServed)] == [path]


def test_without_metadata_there_is_no_document() -> None:
    at = gate(None)
    assert at.intercept(request("GET", RESOURCE_LOCATION)) is None
    assert at.metadata_url is None


def test_another_scheme_and_further_headers() -> None:
    challenge = Challenge(
        scheme="DPoP", error="use_dpop_nonce", description="With a nonce", headers={"dpop-nonce": "n"}
    )
    answer = challenge.reply("http://m")
    expected = 'DPoP error="use_dpop_nonce", error_description="With a nonce", resource_metadata="http://m"'
    assert (answer.headers["www-authenticate"], answer.headers["dpop-nonce"]) == (expected, "n")
