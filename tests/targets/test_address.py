"""URLs of servers, and what is refused before anything is sent."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.targets.address import read_template, read_url


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://127.0.0.1:3000/mcp", "127.0.0.1", 3000),
        ("http://localhost", "localhost", 80),
        ("https://example.org/a/b?c=d", "example.org", 443),
        ("HTTP://Example.ORG:8080/", "example.org", 8080),
        ("http://[::1]:9/mcp", "::1", 9),
        ("http://bücher.example/mcp", "bücher.example", 80),
    ],
)
def test_a_url_names_host_and_port(url: str, host: str, port: int) -> None:
    address = read_url(url)
    assert (address.url, address.host, address.port) == (url, host, port)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("", "the scheme is '', and possible are http and https"),
        ("127.0.0.1:3000/mcp", "the scheme is"),
        ("localhost:3000", "the scheme is 'localhost'"),
        ("ftp://example.org/", "the scheme is 'ftp'"),
        ("http:///mcp", "it names no host"),
        ("http://:3000/mcp", "it names no host"),
        ("http://a..b/", "no host that could be looked up ('a..b')"),
        (f"http://{'a' * 64}.example/", "no host that could be looked up"),
        ("http://host:port/", "Port could not be cast"),
        ("http://host:99999/", "Port out of range"),
        ("http://host:0/", "nothing can listen on port 0"),
        ("http://[::1/", "Invalid IPv6 URL"),
        ("http://host/a b", "a URL cannot hold the character ' '"),
        ("http://host/\tmcp", r"a URL cannot hold the character '\t'"),
        (" http://host/", "a URL cannot hold the character ' '"),
        ("http://host/\u202emcp", r"a URL cannot hold the character '\u202e'"),
        ("http://host/\ud800", r"a URL cannot hold the character '\ud800'"),
        ("http://user:secret@host/", "give them with --mcp-header"),
        ("http://host/mcp#part", "the part behind # ('part') is never sent"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_in_words(url: str, complaint: str) -> None:
    with pytest.raises(Misuse) as raised:
        read_url(url)
    message = str(raised.value)
    assert complaint in message
    assert message.startswith(f"--mcp-server-url {url!r}: ")
    assert message.endswith("A server's URL is written like http://127.0.0.1:3000/mcp.")
    assert message.isprintable()


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{port}/mcp", "https://localhost:{port}", "http://[::1]:{port}/{port}"]
)
def test_a_template_has_the_port_in_its_place(url: str) -> None:
    assert read_template(url) == url


@pytest.mark.parametrize("url", ["http://127.0.0.1/{port}", "http://127.0.0.1:3000/mcp", "http://127.0.0.1:1/mcp"])
def test_a_template_without_the_port_in_its_place_is_refused(url: str) -> None:
    with pytest.raises(Misuse, match=r"Write \{port\} in its place"):
        read_template(url)


def test_a_template_with_more_than_the_port_in_its_place_is_refused() -> None:
    with pytest.raises(Misuse, match="Port out of range"):
        read_template("http://127.0.0.1:3{port}/mcp")
