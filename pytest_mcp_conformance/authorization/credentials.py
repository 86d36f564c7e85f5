"""How the client shows the token endpoint who it is, and what of all this no output may show.

Source: RFC 6749, 2.3.1; RFC 8414, 2 (`token_endpoint_auth_methods_supported`).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from urllib.parse import parse_qsl, quote

from pytest_mcp_conformance.authorization.showable import PLAIN, odd_words, redacted, shown_error, shown_words
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list
from pytest_mcp_conformance.protocol.spellings import spellings as spellings_of

SHORT_CHARACTERS = (
    6  # a shorter value is blotted out only where its name stands before it: see `recorder.SECRET_CHARACTERS`
)
TOKEN_CHARACTERS = 16 * 1024  # of the longest token; anything longer fits into no header
TOKENS_KEPT = 50  # of one response
# Texts of a token response that may be shown, as far as they are plain. Every other one may be a token, or as good as one.
HARMLESS_MEMBERS = frozenset({"token_type", "scope", "issued_token_type", "error", "error_description"})


class Authentication(StrEnum):
    """A method of client authentication that this harness knows."""

    NONE = "none"
    POST = "client_secret_post"
    BASIC = "client_secret_basic"


def chosen_authentication(supported: JsonValue, secret: str | None) -> Authentication | None:
    """Return the method to be used, by what the metadata lists; nothing where none of it can be used.

    :param supported: absent, it means client_secret_basic: RFC 8414, 2.
    """
    if secret is None:
        return Authentication.NONE
    listed = [Authentication.BASIC.value] if supported is None else as_list(supported)
    # MUST authenticate where a secret was issued, also where the server has public clients: RFC 6749, 3.2.1
    order = (Authentication.POST, Authentication.BASIC, Authentication.NONE)
    return next((each for each in order if each.value in listed), None)


def basic(client_id: str, secret: str) -> str:
    """Return the Authorization header.

    A space is written %20: that is read alike by those who undo the encoding of forms and those who undo percent signs only.
    """
    pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


def spellings(name: str, value: str) -> frozenset[str]:
    """Return every text under which the secret `value` of the parameter `name` may turn up in what a run has recorded."""
    return spellings_of(value if len(value) >= SHORT_CHARACTERS else f"{name}={value}")


def without_tokens(answer: JsonObject) -> JsonObject:
    """Return a token response, or a refusal, without what may be secret."""
    return {shown_words(member): _shown(member, value) for member, value in answer.items()}


def _shown(member: str, value: JsonValue) -> JsonValue:
    if not isinstance(value, str):
        return "[redacted]" if isinstance(value, list | dict) else value
    if member == "error":
        return shown_error(value)
    return shown_words(value) if member in HARMLESS_MEMBERS else redacted(value)


def secrets_in(answer: JsonValue, body: bytes, *, refused: bool = False) -> Iterator[str]:
    """Give the texts of a token response that no output may show, whatever form it has.

    The response itself is in no output; this is for a server that repeats them elsewhere.

    :param refused: a server that refuses says more than tokens: plain words are none then, unless their name says so.
    """
    found = _texts(answer) if answer is not None else _form_values(body)
    texts = (
        text
        for name, text in found
        if len(text) <= TOKEN_CHARACTERS and not (refused and PLAIN.fullmatch(text) and "token" not in name.lower())
    )
    yield from islice(texts, TOKENS_KEPT)


def _form_values(body: bytes) -> Iterator[tuple[str, str]]:
    for name, value in parse_qsl(body[:TOKEN_CHARACTERS].decode(errors="replace")):
        yield from _secret_texts(name, value)


def _texts(answer: JsonValue) -> Iterator[tuple[str, str]]:
    """Give texts with the name of the member that they stand under."""
    waiting: list[tuple[str, JsonValue]] = [("", answer)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield from _secret_texts(name, value)
        elif isinstance(value, list):
            waiting += [(name, each) for each in value]
        elif isinstance(value, dict):
            waiting += value.items()


def _secret_texts(name: str, value: str) -> Iterator[tuple[str, str]]:
    """Give what may be secret of one text: of a harmless one, the words that are not plain."""
    yield from ((name, word) for word in odd_words(value)) if name in HARMLESS_MEMBERS else [(name, value)]
