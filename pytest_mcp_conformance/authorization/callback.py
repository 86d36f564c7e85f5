"""The address on this machine to which the authorization server sends the user's browser back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pytest_mcp_conformance.authorization.redirect import Redirect
from pytest_mcp_conformance.authorization.settings import CALLBACK_PATH
from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import Shown
from pytest_mcp_conformance.serving.asgi import Receive, Scope, Send
from pytest_mcp_conformance.serving.hosting import base_url, local_socket, serve
from pytest_mcp_conformance.serving.http import HttpReply, send_reply

PAGE_HEADERS = {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",  # the address holds the code
}
THANKS = b"The answer has arrived. You can close this page."
ALREADY = b"An answer has arrived before. You can close this page."
STOP_SECONDS = 3.0


class Callback:
    """Takes the first redirect; whatever else is asked of it is told that there is nothing.

    :ivar redirect_uri: where it listens.
    :ivar strays: how many requests came that are no redirect.
    """

    def __init__(self, redirect_uri: str) -> None:
        self.redirect_uri = redirect_uri
        self.strays = 0
        self._came: asyncio.Future[Redirect] = asyncio.get_running_loop().create_future()

    async def redirect(self) -> Redirect:
        """Wait for the redirect, however long it takes."""
        return await asyncio.shield(self._came)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request (ASGI)."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            await send_reply(send, self._answer(scope))

    def close(self) -> None:
        """Do nothing: no answer stays open."""

    def _answer(self, scope: Scope) -> HttpReply:
        raw = scope.get("raw_path") or scope["path"].encode()
        path = raw.partition(b"?")[0].decode("latin-1")
        # Letter case and a slash at the end are judged by the scenario: a browser that is sent here must not be left waiting.
        if path.lower().removesuffix("/") != CALLBACK_PATH:
            self.strays += 1
            return HttpReply(status=404)
        # A redirect is a GET. HEAD comes from previews of links, and must not use the redirect up.
        if scope["method"] != "GET":
            self.strays += 1
            return HttpReply(status=405, headers={"allow": "GET"})
        if self._came.done():
            return HttpReply(status=410, headers=PAGE_HEADERS, body=ALREADY)
        query = scope["query_string"].decode("latin-1")
        self._came.set_result(Redirect(redirect_uri=self.redirect_uri, path=path, query=query))
        return HttpReply(status=200, headers=PAGE_HEADERS, body=THANKS)


@asynccontextmanager
async def listening(port: int) -> AsyncIterator[Callback]:
    """Listen for the redirect on `port` of this machine; 0 takes a free one.

    :raises PeerUnreachable: the port cannot be had, so nothing can be said about the authorization server.
    """
    try:
        sock = local_socket(port)
    except OSError as error:
        raise PeerUnreachable(
            f"nothing can listen on port {port} of this machine ({os.strerror(error.errno or 0)}). The browser has to come back"
            " there: free it, or choose another port and register its redirect URI for the client."
        ) from error
    shutdown = asyncio.Event()
    with sock:
        callback = Callback(f"{base_url(sock)}{CALLBACK_PATH}")
        serving = asyncio.create_task(serve(callback, sock, shutdown))
        try:
            yield callback
        finally:
            shutdown.set()
            await asyncio.wait([serving], timeout=STOP_SECONDS)
            serving.cancel()


def never_came(callback: Callback, within: float) -> Nonconforming:
    """Return what is to be raised when the time for the redirect is over."""
    strays = f"; {callback.strays} other requests came there" if callback.strays else ""
    return Nonconforming(
        "nobody came back from the authorization endpoint",
        f"a redirect to {callback.redirect_uri} within {within:g} s",
        Shown(f"none{strays}"),
    )


async def _live(receive: Receive, send: Send) -> None:
    while True:
        event = await receive()
        await send({"type": f"{event['type']}.complete"})
        if event["type"] == "lifespan.shutdown":
            return
