"""HTTP to the implementation under test: one client a run, every exchange recorded, every answer bounded.

What the network or the peer does wrong arrives as `PeerUnreachable` (nobody answers) or `Nonconforming` (somebody
answers wrongly); no exception of the HTTP library leaves this module. Of the library only the transport is used: its client
keeps cookies, looks into redirects and unfolds bodies without a bound.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import cast
from urllib.parse import urljoin, urlsplit

import httpx

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import JsonValue, NotJson, Shown, dumps, loads, shown
from pytest_mcp_conformance.protocol.content_encoding import ACCEPT_ENCODING, undoing
from pytest_mcp_conformance.protocol.exact_http import ExactTransport, needs_exactness
from pytest_mcp_conformance.protocol.media_types import media_type
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.protocol.sse import Event, SseParser

MAX_BODY_BYTES = 8 * 1024 * 1024  # of one answer or stream, unfolded: far above any message, read in far below a second
MAX_EVENTS = 10_000  # of one stream
EVENTS_IN_A_ROW = 100  # that are given before other work of the event loop gets its turn
MAX_REDIRECTS = 5
KEEP_ALIVE_SECONDS = 2.0  # shorter than what servers use (5 s), so that no request meets a connection being closed
OWN_HEADERS = {
    "User-Agent": f"pytest-mcp-conformance/{__version__}",
    "Accept": "*/*",
    "Accept-Encoding": ACCEPT_ENCODING,
}
REDIRECTS = frozenset({301, 302, 307, 308})  # not 303, which names something else to be read: RFC 9110, 15.4.4
NO_ANSWER = "Server disconnected"  # how the HTTP library begins to say that a connection ended before a first byte
DEFAULT_PORTS = {"http": 80, "https": 443}
UTF_8_HEADERS = frozenset({"last-event-id"})  # all others are ASCII: HTML Living Standard, 9.2.3


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Return the TLS settings of this process: the system's certificates, or those that `SSL_CERT_FILE` names."""
    return ssl.create_default_context()


@dataclass(frozen=True, kw_only=True)
class HttpAnswer:
    """A whole HTTP response. Header names are in lower case, values of repeated headers joined by `, `."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters."""
        return media_type(self.headers)

    def json(self) -> JsonValue:
        """Return the body as JSON; null if it is not JSON."""
        try:
            return loads(self.body)
        except NotJson:
            return None


class HttpStream:
    """A response whose head has arrived and whose body has not been read."""

    def __init__(self, response: httpx.Response, recorder: Recorder, number: int) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in response.headers.items()}
        self.parser = SseParser()
        self.number = number
        self._response = response
        self._recorder = recorder

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters."""
        return media_type(self.headers)

    async def read(self) -> HttpAnswer:
        """Read the body to its end.

        :raises Nonconforming: it breaks off, or is larger than `MAX_BODY_BYTES`.
        """
        parts: list[bytes] = []
        try:
            async with aclosing(self._pieces()) as pieces:
                async for piece in pieces:
                    parts.append(piece)  # noqa: PERF401 -- what came before it broke off is kept
        finally:
            body = b"".join(parts)
            self._recorder.body(self.number, body)
        return HttpAnswer(status=self.status, headers=self.headers, body=body)

    async def events(self) -> AsyncGenerator[Event, None]:
        """Give the events of the body as they arrive, to its end.

        :raises Nonconforming: the stream breaks off without its proper end, or has none.
        """
        async with aclosing(self._pieces()) as pieces:
            number = 0
            async for piece in pieces:
                for event in self.parser.feed(piece):
                    number += 1
                    if number > MAX_EVENTS:
                        raise Nonconforming("the stream has no end", f"at most {MAX_EVENTS} events", Shown("more"))
                    if number % EVENTS_IN_A_ROW == 0:
                        await asyncio.sleep(0)
                    self._recorder.event(self.number, event)
                    yield event
        for event in self.parser.finish():
            self._recorder.event(self.number, event)
            yield event

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Give the lines of the body as they arrive, an unended last one too: for bodies that trickle in without events.

        :raises Nonconforming: it breaks off, has no end, or is larger than `MAX_BODY_BYTES`.
        """
        body = bytearray()
        given = number = 0
        try:
            async with aclosing(self._pieces()) as pieces:
                async for piece in pieces:
                    body += piece
                    while (end := body.find(b"\n", given)) >= 0:
                        line, given = bytes(body[given:end]), end + 1
                        number += 1
                        if number % EVENTS_IN_A_ROW == 0:
                            await asyncio.sleep(0)
                        yield line
            if body[given:]:
                yield bytes(body[given:])
        finally:
            self._recorder.body(self.number, bytes(body))

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        """Give the body as it arrives, its content encoding undone.

        :raises Nonconforming: it breaks off, or is larger than `MAX_BODY_BYTES`.
        """
        undone = undoing(self.headers.get("content-encoding", ""), at_most=MAX_BODY_BYTES)
        raw = cast("AsyncGenerator[bytes, None]", self._response.aiter_raw())  # which it is, and so must be closed
        async with _peer_faults(), aclosing(raw) as parts:
            async for part in parts:
                for piece in undone.pieces(part):
                    yield piece


@asynccontextmanager
async def _peer_faults(url: httpx.URL | None = None) -> AsyncIterator[None]:
    """Turn what the HTTP library raises into whose fault it is.

    :param url: where a connection is made.
    """
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise PeerUnreachable(_unconnected(_reason(error), url)) from error
    except (httpx.LocalProtocolError, httpx.UnsupportedProtocol) as error:
        raise Nonconforming("what the peer sent fits into no request", "a request", shown(_reason(error))) from error
    except httpx.RemoteProtocolError as error:
        raise Nonconforming("no proper HTTP answer came", "a complete HTTP answer", shown(_reason(error))) from error
    except httpx.HTTPError as error:
        raise Nonconforming("the connection broke", "a complete HTTP answer", shown(_reason(error))) from error


def _unconnected(reason: str, url: httpx.URL | None) -> str:
    """Say why there is no connection: nobody listens, or somebody whose certificate is not trusted."""
    if "SSL" in reason or "CERTIFICATE" in reason:
        return f"no TLS connection: {reason}. SSL_CERT_FILE names a file of certificates to trust"
    where = f" at {url.scheme}://{url.netloc.decode()}" if url else ""  # which has no user and no password
    return f"nothing answers{where}: {reason}"


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


class Http:
    """The HTTP client of one run.

    :param headers: sent with every request and kept out of the transcript (credentials of the target).
    """

    def __init__(self, recorder: Recorder, *, headers: Mapping[str, str] | None = None) -> None:
        self.recorder = recorder
        self._secret_headers = dict(headers or {})
        self._transport: httpx.AsyncBaseTransport | None = None
        self._exact: httpx.AsyncBaseTransport | None = None

    @asynccontextmanager
    async def open(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: JsonValue | bytes = None,
        malformed: bool = False,
        follow: bool = False,
    ) -> AsyncIterator[HttpStream]:
        """Send one request and give its response as soon as the head is there; leaving drops what was not read.

        :param body: JSON, or bytes sent as they are; null sends none.
        :param malformed: marks a request that is wrong on purpose.
        :param follow: follow redirects that stay on the same origin.
        :raises PeerUnreachable: no connection.
        :raises Nonconforming: the connection ends without an HTTP response.
        """
        content = body if isinstance(body, bytes) else None if body is None else dumps(body).encode()
        for _ in range(MAX_REDIRECTS + 1):
            number = self.recorder.request(method, url, headers or {}, content, malformed=malformed)
            response = await self._send(method, url, headers or {}, content)
            try:
                stream = HttpStream(response, self.recorder, number)
                self.recorder.response(number, stream.status, stream.headers)
                target = stream.headers.get("location", "")
                if not (follow and stream.status in REDIRECTS and target):
                    yield stream
                    return
            finally:
                await _closed(response)
            url = _followed(url, target, stream.status)
        raise Nonconforming("redirected without end", "an answer", shown(target))

    async def fetch(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: JsonValue | bytes = None,
        malformed: bool = False,
        within: float | None = None,
    ) -> HttpAnswer:
        """Send one request and read its whole response.

        :param within: seconds for all of it.
        :raises Nonconforming: also when the time is over.
        """
        try:
            async with (
                asyncio.timeout(within),
                self.open(method, url, headers=headers, body=body, malformed=malformed) as stream,
            ):
                return await stream.read()
        except TimeoutError:
            self.recorder.note(f"{method} gave no complete answer within {within:g} s")
            raise Nonconforming(
                f"{method} brought no answer in time", f"an answer within {within:g} s", shown("nothing")
            ) from None

    async def close(self) -> None:
        """End every connection."""
        for transport in filter(None, (self._transport, self._exact)):
            await transport.aclose()
        self._transport = self._exact = None

    async def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> httpx.Response:
        """Send one request by the transport itself: redirects, cookies and retries of a whole client would blur the test."""
        request = _request(method, url, (OWN_HEADERS, self._secret_headers, headers), content)
        transport = self._transport_for(request)
        connected = transport is self._exact  # which keeps no connection

        async def trace(event: str, _: object) -> None:
            nonlocal connected
            connected = connected or event == "connection.connect_tcp.started"

        request.extensions["trace"] = trace
        async with _peer_faults(request.url):
            while True:
                try:
                    response = await transport.handle_async_request(request)
                except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
                    # A connection from before that the server has closed meanwhile says nothing about this request, and
                    # must not look like an answer to it: RFC 9112, 9.3.1 and 9.6.
                    answered = isinstance(error, httpx.RemoteProtocolError) and not str(error).startswith(NO_ANSWER)
                    if connected or answered:
                        raise
                    self.recorder.note("sent again: the server had closed the connection")
                else:
                    response.request = request
                    return response

    def _transport_for(self, request: httpx.Request) -> httpx.AsyncBaseTransport:
        secure = request.url.scheme == "https"
        if needs_exactness(request.headers):
            self._exact = self._exact or ExactTransport(tls_context() if secure else None)
            return self._exact
        if self._transport is None:
            self._transport = httpx.AsyncHTTPTransport(
                verify=tls_context() if secure else False,
                trust_env=False,  # a proxy between us and the target would be what is tested
                limits=httpx.Limits(keepalive_expiry=KEEP_ALIVE_SECONDS),
            )
        return self._transport


def _request(method: str, url: str, headers: Sequence[Mapping[str, str]], content: bytes | None) -> httpx.Request:
    """Build a request; of headers of one name, whatever its case, the last is sent.

    :raises Nonconforming: a part of it that the peer chose cannot be sent.
    """
    fields = httpx.Headers()
    for name, value in (field for each in headers for field in each.items()):
        encoding = "utf-8" if name.lower() in UTF_8_HEADERS else "ascii"
        try:
            fields.update({name.encode(): value.encode(encoding)})
        except UnicodeError as error:
            raise Nonconforming(
                f"no header {name} can carry what the peer gave for it", "visible ASCII characters", shown(value)
            ) from error
    try:
        return httpx.Request(method, url, headers=fields, content=content)
    except (httpx.InvalidURL, ValueError) as error:
        raise Nonconforming("what the peer sent fits into no request", "a URL", shown(url)) from error


async def _closed(response: httpx.Response) -> None:
    """Close a response; what goes wrong while dropping the rest of a body decides nothing."""
    try:
        await response.aclose()
    except httpx.HTTPError:
        return


def _followed(url: str, location: str, status: int) -> str:
    """Return where a redirect leads.

    :raises Nonconforming: to another origin: the target's credentials must not travel there.
    """
    came = shown(f"{status} to {location}")
    try:
        target = urljoin(url, location)
        stays = _origin(target) == _origin(url)
    except ValueError as error:
        raise Nonconforming("the server redirects to what is no URL", "an answer", came) from error
    if not stays:
        raise Nonconforming("the server redirects to another origin", "an answer", came)
    return target


def _origin(url: str) -> tuple[str, str | None, int | None, str | None]:
    """Return scheme, host, port and user of `url`.

    :raises ValueError: it is none.
    """
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme), parts.username
