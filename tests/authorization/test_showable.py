"""What of the texts of an authorization server is shown: registered error codes and plain words."""

from __future__ import annotations

import secrets
import uuid

import pytest

from pytest_mcp_conformance.authorization.redirect import Redirect
from pytest_mcp_conformance.authorization.showable import shown_address, shown_error, shown_words


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("access_denied", "access_denied"),
        ("use_dpop_nonce", "use_dpop_nonce"),
        ("my_own_error", "[redacted, len=12]"),
        ("access_denied ", "[redacted, len=14]"),
        ("", ""),
    ],
)
def test_an_error_code_is_shown_where_it_is_registered(code: str, shown: str) -> None:
    assert shown_error(code) == shown


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "no",
            "The user said no.",
            "OAuth: the client's redirect_uri (http://localhost/callback) is not registered!",
        ),
        *(
            "unsupported_response_type is the error",
            "MUST use PKCE",
            "[mcp:basic] offline_access",
            "at most 100 - not more",
        ),
    ],
)
def test_plain_words_are_shown_as_they_are(text: str) -> None:
    assert shown_words(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("your code is SplxlOBeZQQYbYS6WxSbIA", "your code is [redacted, len=22]"),
        ("code=ab12", "[redacted, len=9]"),
        ("a\x1b[31mb", "[redacted, len=7]"),
        ("s\u00e9cret", "[redacted, len=6]"),
        ("123456", "[redacted, len=6]"),
        ("SplxlO", "[redacted, len=6]"),
        ("abcdefghijklmnopqrstuvwxyz", "[redacted, len=26]"),
        ("a\nb", "a b"),
    ],
)
def test_of_other_words_the_length_is_shown(text: str, shown: str) -> None:
    assert shown_words(text) == shown


def test_what_nobody_guesses_is_never_plain() -> None:
    for _ in range(300):
        made = (
            secrets.token_urlsafe(16),
            secrets.token_hex(16),
            str(uuid.uuid4()),
            f"ory_ac_{secrets.token_urlsafe(32)}",
        )
        assert [each for each in made if shown_words(each) == each] == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:9000/t4n4nt/", "http://127.0.0.1:9000/t4n4nt/"),
        ("https://127.0.0.1:9001/tenant", "https://127.0.0.1:9001/tenant"),
        (
            "http://127.0.0.1:9000/SplxlO?a=SplxlO#1234567",
            "http://127.0.0.1:9000/[redacted, len=6]?[redacted, len=8]#[redacted, len=7]",
        ),
    ],
)
def test_of_an_address_what_is_known_or_plain_is_shown(url: str, shown: str) -> None:
    assert shown_address(url, "http://127.0.0.1:9000/t4n4nt") == shown


def test_state_and_issuer_are_shown_where_they_are_the_right_ones() -> None:
    redirect = Redirect(
        redirect_uri="http://127.0.0.1:1/callback",
        path="/callback",
        query="code=c&state=5tate&iss=https://i5.example.com",
    )
    right = redirect.shown_url(state="5tate", issuer="https://i5.example.com")
    assert right == ("http://127.0.0.1:1/callback?code=(redacted)&state=5tate&iss=https%3A%2F%2Fi5.example.com")
    assert "5tate" not in redirect.shown_url(state="other", issuer="https://i5.example.com")
