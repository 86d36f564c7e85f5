"""What is taken from metadata, and what is not used at all. Members of any type raise nothing else."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.oauth.resource import read_resource
from pytest_mcp_conformance.reference.client.oauth.server import AuthorizationServer, default_server, read_server

SERVER = "https://mcp.example/mcp"
ISSUER = "https://as.example"
JUNK: list[JsonValue] = [None, True, 1, "text", [], ["a", 1, None, {}], {}, {"a": "b"}]

RESOURCE: JsonObject = {"resource": SERVER, "authorization_servers": [ISSUER], "scopes_supported": ["a", "b"]}
METADATA: JsonObject = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "code_challenge_methods_supported": ["S256"],
}


def test_a_resource_names_its_servers_and_scopes() -> None:
    resource = read_resource(RESOURCE, SERVER)
    assert (resource.identifier, resource.issuers, resource.scopes) == (SERVER, (ISSUER,), ("a", "b"))


def test_a_resource_is_named_as_its_metadata_spell_it() -> None:
    assert read_resource({**RESOURCE, "resource": "https://mcp.example"}, SERVER).identifier == "https://mcp.example"


@pytest.mark.parametrize("resource", ["https://evil.example/mcp", "https://mcp.example/other", None, 7, [SERVER]])
def test_metadata_of_another_resource_are_not_used(resource: JsonValue) -> None:
    with pytest.raises(ClientFailure, match="are those of"):
        read_resource({**RESOURCE, "resource": resource}, SERVER)


@pytest.mark.parametrize("servers", [None, [], [""], "https://as.example", {}, [7]])
def test_a_resource_without_an_authorization_server_is_not_used(servers: JsonValue) -> None:
    with pytest.raises(ClientFailure, match="no authorization server"):
        read_resource({**RESOURCE, "authorization_servers": servers}, SERVER)


def test_absent_members_stand_for_their_defaults() -> None:
    server = read_server(METADATA, ISSUER)
    assert server == AuthorizationServer(
        issuer=ISSUER,
        authorization_endpoint=f"{ISSUER}/authorize",
        token_endpoint=f"{ISSUER}/token",
        grants=("authorization_code", "implicit"),
        auth_methods=("client_secret_basic",),
        challenge_methods=("S256",),
    )


@pytest.mark.parametrize("issuer", [f"{ISSUER}/", "https://attacker.example", "HTTPS://as.example", None, 7])
def test_metadata_of_another_issuer_are_not_used(issuer: JsonValue) -> None:
    with pytest.raises(ClientFailure, match="are those of"):
        read_server({**METADATA, "issuer": issuer}, ISSUER)


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "registration_endpoint"])
@pytest.mark.parametrize("url", ["http://as.example/x", "/x", 7, ""])
def test_an_endpoint_without_https_is_not_used(name: str, url: JsonValue) -> None:
    with pytest.raises(ClientFailure, match=f"the {name} "):
        read_server({**METADATA, name: url}, ISSUER)


def test_a_server_without_a_token_endpoint_is_not_used() -> None:
    with pytest.raises(ClientFailure, match="no token endpoint"):
        read_server({"issuer": ISSUER}, ISSUER)


@pytest.mark.parametrize("value", JUNK, ids=repr)
@pytest.mark.parametrize(
    "name",
    [
        "grant_types_supported",
        "token_endpoint_auth_methods_supported",
        "code_challenge_methods_supported",
        "scopes_supported",
        "dpop_signing_alg_values_supported",
        "authorization_response_iss_parameter_supported",
        "client_id_metadata_document_supported",
    ],
)
def test_members_of_any_type_can_be_read(name: str, value: JsonValue) -> None:
    server = read_server({**METADATA, name: value}, ISSUER)
    texts = (*server.grants, *server.auth_methods, *server.challenge_methods, *server.scopes, *server.proof_algorithms)
    assert all(isinstance(each, str) for each in texts)
    assert server.sends_iss is (name.endswith("iss_parameter_supported") and value is True)
    assert server.reads_metadata_documents is (name.startswith("client_id") and value is True)


def test_the_first_revision_has_default_endpoints() -> None:
    server = default_server("https://api.example.com")
    assert server.authorization_endpoint == "https://api.example.com/authorize"
    assert server.token_endpoint == "https://api.example.com/token"
    assert server.registration_endpoint == "https://api.example.com/register"
