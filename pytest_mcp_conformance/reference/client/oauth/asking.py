"""Requests to authorization servers and well-known places: small JSON documents, and whose fault it is when none comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

import httpx

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, NotJson, as_list, as_object, dumps, loads, shown
from pytest_mcp_conformance.reference.client.failing import ClientFailure

ACCEPT_JSON = {"Accept": "application/json"}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back. Names of headers are compared without case.

    :ivar document: the body, if it is a JSON object; else an empty one.
    """

    status: int
    headers: Mapping[str, str]
    document: JsonObject

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def told(self) -> str:
        """What it says, for a message: an OAuth error if it is one, else the status."""
        error, description = self.document.get("error"), self.document.get("error_description")
        if not isinstance(error, str):
            return f"HTTP status {self.status}"
        return f"{self.status} {shown(error)}" + (f" ({shown(description)})" if isinstance(description, str) else "")


async def ask(
    http: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
    json: JsonObject | None = None,
) -> Answer:
    """Send one request and return what came back.

    :param form: sent as a form.
    :param json: sent as JSON.
    :raises ClientFailure: nothing came, or `url` is none.
    """
    sent = {**ACCEPT_JSON, **(headers or {})}
    content = None
    if json is not None:
        sent["Content-Type"], content = "application/json", dumps(json).encode()
    try:
        response = await http.request(method, url, headers=sent, data=form, content=content, follow_redirects=False)
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise ClientFailure(f"{method} {url} brought no answer: {error or type(error).__name__}") from error
    return Answer(status=response.status_code, headers=response.headers, document=_document(response))


async def document_at(http: httpx.AsyncClient, url: str, *, headers: Mapping[str, str]) -> JsonObject | None:
    """Return the JSON object at `url`, or nothing where there is none.

    :raises ClientFailure: nobody answers, or `url` is none.
    """
    answer = await ask(http, "GET", url, headers=headers)
    return answer.document if answer.status == HTTPStatus.OK and answer.document else None


def text_of(value: JsonValue) -> str | None:
    """Return `value` if it is a text of the characters that identifiers, tokens and secrets have, and not empty.

    Source: RFC 6749, appendix A: visible ASCII characters and spaces.
    """
    return value if isinstance(value, str) and value and value.isascii() and value.isprintable() else None


def texts_of(value: JsonValue) -> tuple[str, ...]:
    """Return such texts in `value`, if it is an array."""
    return tuple(text for each in as_list(value) if (text := text_of(each)) is not None)


def _document(response: httpx.Response) -> JsonObject:
    try:
        return as_object(loads(response.content))
    except NotJson:
        return {}
