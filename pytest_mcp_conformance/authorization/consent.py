"""How the step is done that belongs to the user: opening the authorization URL and agreeing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlencode, urljoin, urlsplit

from pytest_mcp_conformance.authorization.forms import first_form
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import Shown, shown
from pytest_mcp_conformance.model import DRAFT
from pytest_mcp_conformance.protocol.http import Http, HttpAnswer
from pytest_mcp_conformance.protocol.recorder import Recorder

PERSON_SECONDS = 300.0  # as published
FOLLOWING_SECONDS = 30.0
PAGE_SECONDS = 10.0  # for one page
MAX_STEPS = 10  # pages and redirects from the authorization endpoint to the callback
REDIRECTS = frozenset({302, 303, 307, 308})
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Consent(Protocol):
    """The user."""

    @property
    def within(self) -> float:
        """Seconds from being asked to the redirect."""
        ...

    async def give(self, url: str, *, client_id: str, redirect_uri: str) -> None:
        """Have `url` opened in a browser and agreed to. May return before that is done.

        :raises Nonconforming: there is no way from there to the redirect URI.
        """
        ...


class PrintedConsent:
    """A person, who is told what to do.

    :param say: shows a line to them, at once.
    """

    def __init__(self, say: Callable[[str], None], *, within: float = PERSON_SECONDS) -> None:
        self._say = say
        self._within = within

    @property
    def within(self) -> float:
        """See `Consent`."""
        return self._within

    async def give(self, url: str, *, client_id: str, redirect_uri: str) -> None:
        """See `Consent.give`."""
        minutes = self._within / 60
        self._say("")  # dots of progress may stand on the line
        self._say(f"The redirect URI {redirect_uri} must be registered for the client {shown(client_id)}.")
        self._say(f"Open this address in a browser on this machine and agree. There are {minutes:g} minutes for it.")
        self._say("")
        self._say(url)
        self._say("")


class FollowedConsent:
    """A browser that agrees to everything: it follows redirects, and sends the form of a page with its first button.

    It is for the reference, and for servers that are set up to ask nothing. It goes to the origin it was sent to and to the
    redirect URI, and nowhere else. What it does stays out of the transcript: there stands what a client does.
    """

    def __init__(self, *, within: float = FOLLOWING_SECONDS) -> None:
        self._within = within

    @property
    def within(self) -> float:
        """See `Consent`."""
        return self._within

    async def give(self, url: str, *, client_id: str, redirect_uri: str) -> None:
        """See `Consent.give`."""
        del client_id
        start = origin(url)
        http = Http(Recorder(revision=DRAFT))
        try:
            answer = await http.fetch("GET", url, headers={"Accept": "text/html"}, within=PAGE_SECONDS)
            for _ in range(MAX_STEPS):
                method, url, body = _next(url, answer)
                if origin(url) not in (start, origin(redirect_uri)):
                    raise _no_way("pages of its own and the redirect URI", f"a way to {shown(_without_query(url))}")
                headers = FORM if body else {"Accept": "text/html"}
                answer = await http.fetch(method, url, headers=headers, body=body, within=PAGE_SECONDS)
                if origin(url) == origin(redirect_uri):
                    return
            raise _no_way(f"a redirect after at most {MAX_STEPS} pages", "more")
        finally:
            await http.close()


def _next(url: str, answer: HttpAnswer) -> tuple[str, str, bytes | None]:
    """Return the request that a browser would make after `answer`.

    :raises Nonconforming: there is none.
    """
    location = answer.headers.get("location")
    try:
        if answer.status in REDIRECTS and location:
            return "GET", urljoin(url, location), None
        form = first_form(answer.body.decode(errors="replace")) if answer.status == 200 else None
        if form is None:
            raise _no_way("a redirect, or a page with a form", f"status {answer.status} and neither")
        if form.asks_for:
            raise _no_way("a form that needs no person", f"fields for {shown(', '.join(form.asks_for))}")
        target = urljoin(url, form.action)
    except ValueError as error:
        raise _no_way("an address to go on to", "what is no URL") from error
    if form.method == "post":
        return "POST", target, urlencode(form.fields).encode()
    return "GET", f"{target.partition('?')[0]}?{urlencode(form.fields)}", None


def _no_way(expected: str, got: str) -> Nonconforming:
    return Nonconforming("no way leads from the authorization endpoint to the redirect URI", expected, Shown(got))


def _without_query(url: str) -> str:
    return url.partition("?")[0].partition("#")[0]


def origin(url: str) -> tuple[str, str]:
    """Return scheme and authority of a URL; two empty texts where it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc.lower()
