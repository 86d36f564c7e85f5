"""HTTP to the implementation under test: one client a run, every exchange recorded, every answer bounded.

What the network or the peer does wrong arrives as `PeerUnreachable` (nobody answers) or `Nonconforming` (somebody
answers wrongly); no exception of the HTTP library leaves this module.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import JsonValue, NotJson, dumps, loads, shown
from pytest_mcp_conformance.protocol.exact_http import ExactTransport
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.protocol.sse import Event, SseParser

MAX_BODY_BYTES = 64 * 1024 * 1024  # of one answer, decompressed
MAX_REDIRECTS = 5
KEEP_ALIVE_SECONDS = 2.0  # shorter than what servers use (5 s), so that no request meets a connection being closed
REDIRECTS = frozenset({301, 302, 303, 307, 308})


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


def media_type(headers: Mapping[str, str]) -> str:
    """Return the media type that `headers` declare: in lower case, without parameters, empty if there is none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


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
        size = 0
        try:
            async with _peer_faults():
                async for part in self._response.aiter_bytes():
                    size += len(part)
                    if size > MAX_BODY_BYTES:
                        raise Nonconforming(
                            "the answer is too large", f"at most {MAX_BODY_BYTES} bytes", shown(f"over {size}")
                        )
                    parts.append(part)
        finally:
            body = b"".join(parts)
            self._recorder.body(self.number, body)
        return HttpAnswer(status=self.status, headers=self.headers, body=body)

    async def events(self) -> AsyncIterator[Event]:
        """Give the events of the body as they arrive, to its end.

        :raises Nonconforming: the stream breaks off without its proper end.
        """
        async with _peer_faults():
            async for part in self._response.aiter_bytes():
                for event in self.parser.feed(part):
                    self._recorder.event(self.number, event)
                    yield event
        for event in self.parser.finish():
            self._recorder.event(self.number, event)
            yield event

    async def lines(self) -> AsyncIterator[bytes]:
        """Give the lines of the body as they arrive, an unended last one too: for bodies that trickle in without events.

        :raises Nonconforming: it breaks off, or is larger than `MAX_BODY_BYTES`.
        """
        body = bytearray()
        given = 0
        try:
            async with _peer_faults():
                async for part in self._response.aiter_bytes():
                    body += part
                    if len(body) > MAX_BODY_BYTES:
                        raise Nonconforming("the answer is too large", f"at most {MAX_BODY_BYTES} bytes", shown("more"))
                    while (end := body.find(b"\n", given)) >= 0:
                        line, given = bytes(body[given:end]), end + 1
                        yield line
            if body[given:]:
                yield bytes(body[given:])
        finally:
            self._recorder.body(self.number, bytes(body))


@asynccontextmanager
async def _peer_faults() -> AsyncIterator[None]:
    """Turn what the HTTP library raises into whose fault it is."""
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise PeerUnreachable(f"nothing answers: {_reason(error)}") from error
    except httpx.DecodingError as error:
        raise Nonconforming("the body is not in the encoding its header names", got=shown(_reason(error))) from error
    except httpx.TransportError as error:
        raise Nonconforming("the connection broke", "a complete HTTP answer", shown(_reason(error))) from error


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


class Http:
    """The HTTP client of one run.

    :param headers: sent with every request and kept out of the transcript (credentials of the target).
    """

    def __init__(self, recorder: Recorder, *, headers: Mapping[str, str] | None = None) -> None:
        self.recorder = recorder
        self._secret_headers = dict(headers or {})
        self._client: httpx.AsyncClient | None = None
        self._exact: httpx.AsyncClient | None = None

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
        for client in filter(None, (self._client, self._exact)):
            await client.aclose()
        self._client = self._exact = None

    async def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> httpx.Response:
        if self._client is None:
            self._client = httpx.AsyncClient(
                verify=tls_context() if urlsplit(url).scheme == "https" else False,
                timeout=None,  # noqa: S113 -- the caller bounds the exchange as a whole
                trust_env=False,  # a proxy between us and the target would be what is tested
                limits=httpx.Limits(keepalive_expiry=KEEP_ALIVE_SECONDS),
                headers={"user-agent": f"pytest-mcp-conformance/{__version__}"},
            )
        async with _peer_faults():
            try:
                request = self._client.build_request(
                    method, url, headers={**self._secret_headers, **headers}, content=content
                )
            except (httpx.InvalidURL, UnicodeError, ValueError) as error:
                raise Nonconforming(
                    "a request cannot be built from what the peer sent", got=shown(str(error))
                ) from error
            client = self._exact_client(url) if needs_exactness(request.headers) else self._client
            return await client.send(request, stream=True)

    def _exact_client(self, url: str) -> httpx.AsyncClient:
        if self._exact is None:
            tls = tls_context() if urlsplit(url).scheme == "https" else None
            self._exact = httpx.AsyncClient(transport=ExactTransport(tls), timeout=None, trust_env=False)  # noqa: S113
        return self._exact


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
    target = urljoin(url, location)
    if urlsplit(target)[:2] != urlsplit(url)[:2]:
        raise Nonconforming("the server redirects to another origin", "an answer", shown(f"{status} to {target}"))
    return target
