"""A client of the authorization server under test.

What the server says is looked at by scenarios; here is only what is sent, when, and what must not be shown of it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from pytest_mcp_conformance.authorization.callback import Callback, listening, never_came
from pytest_mcp_conformance.authorization.consent import Consent
from pytest_mcp_conformance.authorization.credentials import (
    Authentication,
    basic,
    secrets_in,
    spellings,
    without_tokens,
)
from pytest_mcp_conformance.authorization.discovery import Published, Unpublished, candidates
from pytest_mcp_conformance.authorization.pkce import Fresh
from pytest_mcp_conformance.authorization.redirect import Redirect
from pytest_mcp_conformance.authorization.settings import AuthorizationSettings
from pytest_mcp_conformance.authorization.showable import shown_words
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import Shown, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.http import Http, HttpAnswer

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
PARTING_SECONDS = 1.0  # for the browser to read that it can go
GRANT_TYPE = "authorization_code"
COOKIES = re.compile(r"(?:^|,)[ \t]*([^=;,\s]+)=([^;,]*)")  # in the fields Set-Cookie, joined: RFC 6265, 4.1.1


@dataclass(frozen=True, kw_only=True)
class Authorization:
    """One authorization request and the redirect that answered it.

    :ivar shown_redirect: the URL of the redirect, without what may be secret.
    """

    request_url: str
    redirect_uri: str
    fresh: Fresh
    redirect: Redirect
    shown_redirect: str


class AuthorizationPeer:
    """The authorization server under test, as its client sees it.

    :param consent: the user.
    :param within: seconds for all requests before the user is asked, and again for the one after that.
    :param extend: called with the seconds that the user gets, before they begin: they do not count for the scenario.
    """

    def __init__(
        self,
        http: Http,
        settings: AuthorizationSettings,
        consent: Consent,
        revision: Revision,
        *,
        within: float,
        extend: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.settings = settings
        self.revision = revision
        self._http = http
        self._consent = consent
        self._within = within
        self._extend = extend
        if settings.client_secret is not None:
            self._hide("client_secret", settings.client_secret)

    async def metadata(self) -> Published | Unpublished:
        """Ask the well-known URLs until one answers with status 200. That one is final, whatever its body.

        :raises PeerUnreachable: nobody listens at any of them.
        :raises Nonconforming: the body of that answer breaks off, or has no end.
        """
        answers: list[str] = []
        unreachable: PeerUnreachable | None = None
        urls = candidates(self.settings.url)
        within = self._within / (len(urls) + 1)  # so that the last one gets its time, too
        for url in urls:
            try:
                found = await self._published(url, within)
            except PeerUnreachable as error:
                unreachable = error
                answers.append("no connection")
            except _BrokenHead as error:
                answers.append(error.message)
            else:
                if isinstance(found, Published):
                    return found
                answers.append(f"status {found}")
        if unreachable is not None and set(answers) == {"no connection"}:
            raise unreachable
        return Unpublished(answers=tuple(answers))

    async def _published(self, url: str, within: float) -> Published | int:
        """Return what stands at `url`, or the status of an answer that is none.

        :raises _BrokenHead: no proper answer came.
        """
        answering = False
        try:
            async with asyncio.timeout(within), self._http.open("GET", url) as stream:
                self._hide_cookies(stream.headers)
                if stream.status != 200:
                    return stream.status
                answering = True
                answer = await stream.read()
        except Nonconforming as error:
            if answering:
                raise
            raise _BrokenHead(error.message) from error
        except TimeoutError:
            told = f"no complete answer within {within:g} s"
            self._http.recorder.note(told)
            if answering:
                raise Nonconforming("the metadata has no end", "a complete answer", told) from None
            raise _BrokenHead(told) from None
        # null and what is no JSON are alike: no metadata
        return Published(url=url, content_type=answer.headers.get("content-type", ""), content=answer.json())

    async def authorize(self, endpoint: str) -> Authorization:
        """Send the user to the authorization endpoint and wait until they come back.

        :raises Nonconforming: they do not.
        :raises PeerUnreachable: nobody can come back, because the port is taken.
        """
        fresh = Fresh()
        self._hide("code_verifier", fresh.verifier)
        async with listening(self.settings.port) as callback:
            url = self._authorization_url(endpoint, fresh, callback.redirect_uri)
            self._http.recorder.note(f"the user is sent to {url}")
            redirect = await self._consented(url, callback)
            for value in redirect.secrets:
                self._hide("code", value)
            came = Authorization(
                request_url=url,
                redirect_uri=callback.redirect_uri,
                fresh=fresh,
                redirect=redirect,
                shown_redirect=redirect.shown_url(state=fresh.state, issuer=self.settings.url),
            )
            self._http.recorder.note(f"the user came back to {came.shown_redirect}")
        return came

    def _authorization_url(self, endpoint: str, fresh: Fresh, redirect_uri: str) -> str:
        """Source: RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2.1."""
        parameters = {
            "response_type": "code",
            "client_id": self.settings.client_id or "",
            "state": fresh.state,
            "redirect_uri": redirect_uri,
            "code_challenge": fresh.challenge,
            "code_challenge_method": "S256",
        }
        if self.settings.resource is not None:
            parameters["resource"] = self.settings.resource
        parts = urlsplit(endpoint)
        # MUST retain a query that the endpoint has: RFC 6749, 3.1
        query = "&".join(filter(None, [parts.query, urlencode(parameters)]))
        return urlunsplit(parts._replace(query=query))

    async def _consented(self, url: str, callback: Callback) -> Redirect:
        """Let the user do their part, and return the redirect that comes of it."""
        within = self._consent.within
        self._extend(within)
        giving = asyncio.create_task(
            self._consent.give(url, client_id=self.settings.client_id or "", redirect_uri=callback.redirect_uri)
        )
        coming = asyncio.create_task(callback.redirect())
        try:
            async with asyncio.timeout(within):
                await asyncio.wait([giving, coming], return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    giving.result()  # which raises where no way leads back
                redirect = await coming
            await asyncio.wait([giving], timeout=PARTING_SECONDS)
            return redirect  # noqa: TRY300 -- what came in time
        except TimeoutError:
            raise never_came(callback, within) from None
        finally:
            for task in (giving, coming):
                task.cancel()
            await asyncio.gather(giving, coming, return_exceptions=True)

    async def redeem(
        self, authorization: Authorization, code: str, endpoint: str, authentication: Authentication
    ) -> HttpAnswer:
        """Send the token request for a code and return the answer.

        Source: RFC 6749, 4.1.3; RFC 7636, 4.5; RFC 8707, 2.2.

        :raises Nonconforming: no proper answer comes.
        """
        parameters = {
            "grant_type": GRANT_TYPE,
            "code": code,
            "redirect_uri": authorization.redirect_uri,
            "code_verifier": authorization.fresh.verifier,
        }
        if self.settings.resource is not None:
            parameters["resource"] = self.settings.resource
        headers = dict(FORM)
        client_id, secret = self.settings.client_id or "", self.settings.client_secret
        if authentication is Authentication.BASIC and secret is not None:
            headers["Authorization"] = basic(client_id, secret)
            self._hide("Authorization", headers["Authorization"])
            self._hide("Authorization", headers["Authorization"].partition(" ")[2])
        else:
            parameters["client_id"] = client_id
            if authentication is Authentication.POST and secret is not None:
                parameters["client_secret"] = secret
        open_texts = " ".join([endpoint, authorization.redirect_uri, client_id, self.settings.resource or ""])
        return await self._token_answer(endpoint, headers, urlencode(parameters).encode(), open_texts)

    async def _token_answer(self, endpoint: str, headers: dict[str, str], body: bytes, sent: str) -> HttpAnswer:
        """Send a token request; of the answer the transcript gets nothing else than may be shown, a refusal included.

        :param sent: what is no secret although the server may repeat it.
        """
        recorder = self._http.recorder
        try:
            async with (
                asyncio.timeout(self._within),
                self._http.open("POST", endpoint, headers=headers, body=body) as stream,
            ):
                self._hide_cookies(stream.headers)
                try:
                    answer = await stream.read()
                finally:
                    recorder.withhold(stream.number)
        except TimeoutError:
            told = f"no complete answer within {self._within:g} s"
            recorder.note(told)
            raise Nonconforming("the token request brought no answer in time", "a complete answer", told) from None
        except Nonconforming as error:  # which may repeat a line that is no HTTP
            raise Nonconforming(error.message, error.expected, Shown(shown_words(error.got or ""))) from None
        content = answer.json()
        for value in secrets_in(content, answer.body, refused=not answer.ok):
            if value not in sent:
                self._hide("token", value)
        told = (
            shown(without_tokens(content)) if isinstance(content, dict) else f"{len(answer.body)} bytes, no JSON object"
        )
        recorder.note(f"of the token response: {told}")
        return answer

    def _hide_cookies(self, headers: Mapping[str, str]) -> None:
        """Keep what a response sets as cookies out of every output: they may be a session of somebody."""
        if set_cookie := headers.get("set-cookie"):
            self._hide("Set-Cookie", set_cookie)
            for name, value in COOKIES.findall(set_cookie):
                self._hide(name, value)

    def _hide(self, name: str, value: str) -> None:
        self._http.recorder.add_secrets(spellings(name, value))


class _BrokenHead(Exception):
    """A candidate that gave no proper answer: the next one is asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
