"""How the client shows the token endpoint who it is, and what of all this no output may show.

Source: RFC 6749, 2.3.1; RFC 8414, 2 (`token_endpoint_auth_methods_supported`).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from urllib.parse import parse_qsl, quote

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list
from pytest_mcp_conformance.protocol.spellings import spellings as spellings_of

SHORT_CHARACTERS = (
    6  # a shorter value is blotted out only where its name stands before it: see `recorder.SECRET_CHARACTERS`
)
TOKEN_CHARACTERS = 16 * 1024  # of the longest token; anything longer fits into no header
TOKENS_KEPT = 50  # of one response
TOKENS = ("access_token", "refresh_token", "id_token")
# What may be shown of a token response. Every other text may be a token, or as good as one.
HARMLESS_MEMBERS = frozenset(
    {"token_type", "scope", "issued_token_type", "error", "error_description", "error_uri", "session_state"}
)


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
    """Return a token response without what it is secret for."""
    return {member: value if member in HARMLESS_MEMBERS else _hidden(value) for member, value in answer.items()}


def _hidden(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return f"[redacted, len={len(value)}]"
    return "[redacted]" if isinstance(value, list | dict) else value


def secrets_in(answer: JsonValue, body: bytes) -> Iterator[str]:
    """Give the texts of a token response that no output may show, whatever form it has.

    The response itself is in no output; this is for a server that repeats them elsewhere.
    """
    found = _texts(answer) if answer is not None else _form_values(body)
    yield from islice((text for text in found if len(text) <= TOKEN_CHARACTERS), TOKENS_KEPT)


def tokens_in(refusal: JsonObject) -> Iterator[str]:
    """Give the tokens that a server issues although it refuses."""
    return (value for member in TOKENS if isinstance(value := refusal.get(member), str))


def _form_values(body: bytes) -> Iterator[str]:
    pairs = parse_qsl(body[:TOKEN_CHARACTERS].decode(errors="replace"))
    return (value for name, value in pairs if name not in HARMLESS_MEMBERS)


def _texts(answer: JsonValue) -> Iterator[str]:
    waiting: list[JsonValue] = [answer]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += [member for name, member in value.items() if name not in HARMLESS_MEMBERS]
