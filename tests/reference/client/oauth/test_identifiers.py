"""What counts as the same issuer, as our resource, and as a URL to which secrets may be sent."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.reference.client.oauth.identifiers import covers, same_issuer, usable_endpoint


@pytest.mark.parametrize(
    "other",
    [
        "https://a.example/",
        "https://A.example",
        "HTTPS://a.example",
        "https://a.example:443",
        "https://a.example/%74",
        "https://a.example/t",
        "",
    ],
)
def test_an_issuer_that_is_written_differently_is_another(other: str) -> None:
    assert not same_issuer(other, "https://a.example")


def test_an_issuer_is_itself() -> None:
    assert same_issuer("https://a.example/t", "https://a.example/t")


@pytest.mark.parametrize(
    "resource",
    [
        "https://a.example/public/mcp",
        "https://a.example/public/mcp/",
        "https://a.example/public",
        "https://a.example/",
        "https://a.example",
        "https://a.example:443/public/mcp",
        "HTTPS://A.EXAMPLE/public/mcp",
    ],
)
def test_a_resource_covers_what_is_below_it(resource: str) -> None:
    assert covers(resource, "https://a.example/public/mcp")


@pytest.mark.parametrize(
    "resource",
    [
        "https://evil.example/public/mcp",
        "https://a.example.evil.example/public/mcp",
        "http://a.example/public/mcp",
        "https://a.example:8443/public/mcp",
        "https://a.example/pub",
        "https://a.example/public/mcp/deeper",
        "https://a.example/PUBLIC/mcp",
        "https://a.example/public/mcp#x",
        "https://a.example/public/mcp?tenant=other",
        "a.example/public/mcp",
        "https://a.example:port/public/mcp",
        "https://[a.example/public/mcp",
        "",
    ],
)
def test_a_resource_covers_nothing_else(resource: str) -> None:
    assert not covers(resource, "https://a.example/public/mcp")


@pytest.mark.parametrize(
    ("url", "usable"),
    [
        ("https://a.example/token", True),
        ("http://localhost:3000/token", True),
        ("http://127.0.0.1/token", True),
        ("http://[::1]:1/token", True),
        ("http://a.example/token", False),
        ("http://localhost.evil.example/token", False),
        ("ftp://localhost/token", False),
        ("https:///token", False),
        ("/token", False),
        ("https://a.example:port/", False),
        ("https://[", False),
        ("", False),
    ],
)
def test_secrets_are_sent_by_https_or_within_this_machine(url: str, usable: bool) -> None:  # noqa: FBT001 -- a column
    assert usable_endpoint(url) is usable
