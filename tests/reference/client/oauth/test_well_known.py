"""The places where metadata are looked for, in the order that the specification gives."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.reference.client.oauth.well_known import (
    origin_of,
    resource_metadata_urls,
    server_metadata_urls,
)

RESOURCE = "/.well-known/oauth-protected-resource"
OAUTH = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("https://a.example/public/mcp", [f"https://a.example{RESOURCE}/public/mcp", f"https://a.example{RESOURCE}"]),
        ("https://a.example:8443/mcp/", [f"https://a.example:8443{RESOURCE}/mcp", f"https://a.example:8443{RESOURCE}"]),
        ("https://a.example/mcp?x=1", [f"https://a.example{RESOURCE}/mcp?x=1", f"https://a.example{RESOURCE}"]),
        ("https://a.example/", [f"https://a.example{RESOURCE}"]),
        ("https://a.example", [f"https://a.example{RESOURCE}"]),
        ("http://[::1]:80/mcp", [f"http://[::1]:80{RESOURCE}/mcp", f"http://[::1]:80{RESOURCE}"]),
    ],
)
def test_resource_metadata_are_looked_for_at_the_path_and_then_at_the_root(server: str, expected: list[str]) -> None:
    assert resource_metadata_urls(server) == expected


@pytest.mark.parametrize(
    ("issuer", "expected"),
    [
        ("https://a.example", [f"https://a.example{OAUTH}", f"https://a.example{OPENID}"]),
        ("https://a.example/", [f"https://a.example{OAUTH}", f"https://a.example{OPENID}"]),
        (
            "https://a.example/tenant1",
            [
                f"https://a.example{OAUTH}/tenant1",
                f"https://a.example{OPENID}/tenant1",
                f"https://a.example/tenant1{OPENID}",
            ],
        ),
        (
            "https://a.example/one/two/",
            [
                f"https://a.example{OAUTH}/one/two",
                f"https://a.example{OPENID}/one/two",
                f"https://a.example/one/two{OPENID}",
            ],
        ),
    ],
)
def test_server_metadata_are_looked_for_with_the_path_inserted_before_appended(
    issuer: str, expected: list[str]
) -> None:
    assert server_metadata_urls(issuer) == expected


def test_the_base_of_the_first_revision_is_the_url_without_its_path() -> None:
    assert origin_of("https://api.example.com:8443/v1/mcp?x#y") == "https://api.example.com:8443"
