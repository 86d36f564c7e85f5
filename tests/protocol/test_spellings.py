"""A secret is found in whatever form a peer repeats it."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from pytest_mcp_conformance.protocol.spellings import spellings

SECRET = "a s3cr3t/+=<&'\"\\ä(!)"


def found(text: str) -> bool:
    return any(each in text for each in spellings(SECRET))


WAYS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in a path": quote,
    "in a form": quote_plus,
    "in a query": lambda text: quote(text, safe=""),
    "by encodeURIComponent": lambda text: quote(text, safe="!'()*"),
    "by URLSearchParams": lambda text: quote_plus(text, safe="*"),
    "in lower case": lambda text: "".join(each.lower() if "%" in each else each for each in map(percent, text)),
    "in a query of a query": lambda text: quote(quote(text, safe=""), safe=""),
    "in an attribute": html.escape,
    "in a page": lambda text: html.escape(text, quote=False),
    "in a page by numbers": lambda text: (
        html.escape(text).replace("&#x27;", "&#39;").replace("&quot;", "&#34;").replace("+", "&#43;")
    ),
    "in JSON in a page": lambda text: html.escape(json.dumps({"error": text})),
    "in JSON": lambda text: json.dumps(text)[1:-1],
    "in JSON in JSON": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
    "in base64": lambda text: base64.b64encode(text.encode()).decode().rstrip("="),
    "in base64 behind an id": lambda text: base64.urlsafe_b64encode(f"me:{text}!".encode()).decode(),
    "in base64 before a line break": lambda text: base64.b64encode(f"user:{text}\n".encode()).decode(),
}


def percent(character: str) -> str:
    return quote(character, safe="")


@pytest.mark.parametrize("way", WAYS)
def test_what_a_peer_makes_of_it_is_found(way: str) -> None:
    written = WAYS[way](SECRET)
    assert found(written)
    assert way == "in JSON in JSON" or found(json.dumps(written)), "as a message shows it"


def test_of_a_token_there_are_few() -> None:
    """Each is looked for in every text of a transcript."""
    assert len(spellings("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl")) < 10


@pytest.mark.parametrize("value", ["", "a", "\ud800", "\0", "x" * 20_000])
def test_any_text_has_spellings(value: str) -> None:
    assert value in spellings(value)
