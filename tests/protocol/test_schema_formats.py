"""The formats of MCP's schemas are the grammars of RFC 3986 and RFC 6570."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.protocol.schema_formats import is_uri, is_uri_template

URIS = [
    "http://example.com",
    "HTTPS://user:secret@example.com:8080/a/b;c=1/?q=1/2?3#frag/ment?",
    "file:///home/user/a%20b.txt",
    "file:/a",
    "test://static-text",
    "test:x",
    "test:",  # path-empty
    "test:?q",
    "urn:isbn:0451450523",
    "mailto:a@b.example",
    "data:text/plain;charset=utf-8,hi",
    "a+b-c.d:x",
    "http://",  # an empty reg-name is one
    "http:///x",
    "http://a:/x",
    "http://127.0.0.1:3000/mcp",
    "http://999.1.1.1/",  # no IPv4 address, but a reg-name
    "http://[::1]:3000/mcp",
    "http://[2001:db8::7]/c=GB?objectClass?one",
    "http://[1:2:3:4:5:6:192.0.2.1]/",
    "http://[v1.fe:x]/",
    "x:" + "a" * 100_000,
]
NO_URIS = [
    "",
    "x",
    "/relative",
    "//example.com/path",
    "1http://example.com",
    "ht_tp://example.com",
    ":x",
    "http://example.com/a b",
    "http://example.com/{id}",
    "http://example.com/%zz",
    "http://example.com/%4",
    "http://example.com/\u00e9",
    "http://example.com/\ud800",
    "http://example.com\n",
    "http://example.com/a|b",
    'http://example.com/"',
    "http://example.com:80b/",
    "http://[::1/",
    "http://[::1]x/",
    "http://[1:2]/",
    "http://[1::2::3]/",
    "http://[fe80::1%25eth0]/",
    "http://[::1.2.3.256]/",
    "http://a/[b]",
    "x:a#b#c",
    "x:\\",
    "x:" + "a" * 100_000 + "^",
    "x://" + "a:" * 100_000 + "^",
]
URI_TEMPLATES = [
    "",
    "plain",
    "test://template/{id}/data",
    "http://example.com/~{username}/",
    "{var}",
    "{+path,x}/here",
    "{#x,hello,y}",
    "X{.list*}",
    "{/var:1,var}",
    "{;x,y,empty}",
    "{?x,y}{&rest*}",
    "{semi.dot}",
    "{%41_1}",
    "{a:9999}",
    "{=reserved}",
    "{|reserved}",
    "%41\u00e9\U0001f600",
]
NO_URI_TEMPLATES = [
    "{",
    "}",
    "{}",
    "{a",
    "a}",
    "{a{b}}",
    "{a b}",
    "{a-b}",
    "{$a}",
    "{a,}",
    "{,a,b,}",
    "{.}",
    "{a..b}",
    "{a.}",
    "{a:0}",
    "{a:10000}",
    "{a:3*}",
    "{\u00e9}",
    "a b",
    "a\n",
    "it's",
    'say "x"',
    "a<b>",
    "a\\b",
    "a^b",
    "a`b",
    "a|b",
    "100%",
    "%4",
    "\x7f",
    "\x85",
    "\ud800",
    "\uffff",
    "{" + "a," * 100_000,
]


@pytest.mark.parametrize("text", URIS, ids=lambda text: ascii(text[:40]))
def test_an_absolute_uri_of_any_scheme_is_a_uri(text: str) -> None:
    assert is_uri(text)


@pytest.mark.parametrize("text", NO_URIS, ids=lambda text: ascii(text[:40]))
def test_what_the_grammar_of_uris_does_not_derive_is_none(text: str) -> None:
    assert not is_uri(text)


@pytest.mark.parametrize("text", URI_TEMPLATES, ids=ascii)
def test_a_template_of_any_level_is_a_uri_template(text: str) -> None:
    assert is_uri_template(text)


@pytest.mark.parametrize("text", NO_URI_TEMPLATES, ids=lambda text: ascii(text[:40]))
def test_what_the_grammar_of_templates_does_not_derive_is_none(text: str) -> None:
    assert not is_uri_template(text)
