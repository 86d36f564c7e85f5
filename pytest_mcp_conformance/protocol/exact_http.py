"""HTTP/1.1 with header values sent as they are given.

HTTP allows spaces around a header's value, and a receiver must not take them for part of it (RFC 9110, 5.5). HTTP libraries
strip or refuse them on the way out, so that a server's reading of them cannot be tried with one.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator

import h11
import httpx

READ_BYTES = 64 * 1024  # at a time
CLOSING_SECONDS = 1.0


def needs_exactness(headers: httpx.Headers) -> bool:
    """Tell whether a value has spaces around it, which only `ExactTransport` sends."""
    return any(value != value.strip(b" \t") for _, value in headers.raw)


class ExactTransport(httpx.AsyncBaseTransport):
    """One connection a request; header names and values travel byte by byte as the request has them."""

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        self._tls = tls

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send `request` and return its response with the body still to be read.

        :raises httpx.TransportError: no connection, or no HTTP in answer.
        """
        head, body = _head(request), await request.aread()
        connection = await _connected(request.url, self._tls)
        try:
            await connection.send(head + body)
            response = await connection.response()
        except BaseException:
            await connection.aclose()
            raise
        return httpx.Response(response.status_code, headers=list(response.headers), stream=connection)


class _Connection(httpx.AsyncByteStream):
    """A connection for one request; iterating it gives the body of the response."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._parser = h11.Connection(h11.CLIENT)
        # The parser takes a response only after a request has passed it; nothing of a response depends on which.
        self._parser.send(h11.Request(method="POST", target="/", headers=[("Host", "peer"), ("Content-Length", "0")]))
        self._parser.send(h11.EndOfMessage())

    async def send(self, content: bytes) -> None:
        try:
            self._writer.write(content)
            await self._writer.drain()
        except OSError as error:
            raise httpx.WriteError(str(error)) from error

    async def response(self) -> h11.Response:
        while True:
            event = await self._event()
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                raise httpx.RemoteProtocolError("the connection ended without a response")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._event(), h11.Data):
            yield bytes(event.data)

    async def aclose(self) -> None:
        self._writer.close()
        try:
            async with asyncio.timeout(CLOSING_SECONDS):  # for the last words of TLS, which a peer may never say
                await self._writer.wait_closed()
        except OSError:
            self._writer.transport.abort()

    async def _event(self) -> object:
        """Return the next thing that the peer said, as the parser names it."""
        try:
            while (event := self._parser.next_event()) is h11.NEED_DATA:
                self._parser.receive_data(await self._reader.read(READ_BYTES))
        except OSError as error:
            raise httpx.ReadError(str(error)) from error
        except h11.RemoteProtocolError as error:
            raise httpx.RemoteProtocolError(str(error)) from error
        return event


async def _connected(url: httpx.URL, tls: ssl.SSLContext | None) -> _Connection:
    secure = url.scheme == "https"
    try:
        streams = await asyncio.open_connection(
            url.host, url.port or (443 if secure else 80), ssl=tls if secure else None
        )
    except OSError as error:
        raise httpx.ConnectError(str(error)) from error
    return _Connection(*streams)


def _head(request: httpx.Request) -> bytes:
    """Return the request line and the headers.

    :raises httpx.LocalProtocolError: a line break in one of them would begin another header.
    """
    lines = [b" ".join((request.method.encode(), request.url.raw_path, b"HTTP/1.1"))]
    lines += [name + b": " + value for name, value in request.headers.raw]
    if any(forbidden in line for line in lines for forbidden in (b"\r", b"\n", b"\0")):
        raise httpx.LocalProtocolError("a line break in a header")
    return b"\r\n".join([*lines, b"", b""])
