"""A client with many ways to be broken where it asks for authorization.

The behaviour is the first argument, the URL the second.

python -I -S broken_oauth_clients.py BEHAVIOUR URL
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from urllib.request import urlopen

MEGABYTE = 1024 * 1024
LONG_SECONDS = 600  # more than any test waits
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LAST = b"OPTIONS / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

BEHAVIOURS: dict[str, Callable[[Endpoints], None]] = {}


class Endpoints:
    """Where the client finds what it asks."""

    def __init__(self, url: str) -> None:
        base = url.removesuffix("/mcp")
        self.mcp = url
        self.resource = read(f"{base}/.well-known/oauth-protected-resource/mcp")
        self.server = read(f"{self.resource['authorization_servers'][0]}/.well-known/oauth-authorization-server")

    def __getattr__(self, name: str) -> str:
        return str(self.server[f"{name}_endpoint"])


def read(url: str) -> dict:  # type: ignore[type-arg]
    """Return the document at `url`."""
    with urlopen(url) as answer:
        return dict(json.load(answer))


def connect(url: str) -> socket.socket:
    """Open a connection to the server of `url`."""
    host, _, port = url.split("/")[2].partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def post(url: str, body: bytes, kind: str = FORM, length: int | None = None) -> bytes:
    """Return a request."""
    fields = (
        f"POST /{url.split('/', 3)[3]} HTTP/1.1",
        f"Host: {url.split('/')[2]}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body) if length is None else length}",
    )
    return "".join(f"{line}\r\n" for line in [*fields, ""]).encode() + body


def send(url: str, requests: Iterator[bytes], *, each: int) -> None:
    """Send requests, `each` on one connection, and read what comes to the end."""
    waiting = list(requests)
    for start in range(0, len(waiting), each):
        with connect(url) as sock, contextlib.suppress(OSError):
            sock.sendall(b"".join([*waiting[start : start + each], LAST]))
            while sock.recv(65536):
                pass


def behaves(behave: Callable[[Endpoints], None]) -> Callable[[Endpoints], None]:
    """Make a function a behaviour under its name."""
    BEHAVIOURS[behave.__name__] = behave
    return behave


@behaves
def asks_for_10000_tokens(at: Endpoints) -> None:
    request = post(at.token, b"grant_type=authorization_code&code=x&code_verifier=y&resource=z")
    send(at.token, (request for _ in range(10_000)), each=1000)


@behaves
def asks_with_100000_values(at: Endpoints) -> None:
    for name in ("grant_type", "resource", "scope"):
        body = json.dumps({name: ["x"] * 99_000}).encode()
        send(at.token, (post(at.token, body, JSON) for _ in range(3)), each=1)
    send(at.token, iter([post(at.token, b"&".join([b"a=b"] * 500_000))]), each=1)


@behaves
def registers_3_megabytes_20_times(at: Endpoints) -> None:
    body = json.dumps({"redirect_uris": ["x" * 3 * MEGABYTE], "application_type": ["x" * 1000]}).encode()
    send(at.registration, (post(at.registration, body, JSON) for _ in range(20)), each=1)


@behaves
def presents_tokens_of_a_megabyte(at: Endpoints) -> None:
    body = b"grant_type=client_credentials&client_assertion=" + b"eyJ" * 300_000 + b"&assertion=" + b"a." * 50_000
    send(at.token, (post(at.token, body) for _ in range(5)), each=1)


@behaves
def sends_half_requests_and_hangs(at: Endpoints) -> None:
    kept = []
    for url in (at.token, at.registration, at.authorization, at.mcp):
        for _ in range(50):
            sock = connect(url)
            sock.sendall(post(url, b"grant_type=", length=1000))
            kept.append(sock)
    time.sleep(LONG_SECONDS)


@behaves
def sends_a_body_byte_by_byte_and_hangs(at: Endpoints) -> None:
    with connect(at.token) as sock, contextlib.suppress(OSError):
        sock.sendall(post(at.token, b"", length=MEGABYTE))
        for _ in range(MEGABYTE):
            sock.sendall(b"a")
            time.sleep(0.01)


if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]](Endpoints(sys.argv[2]))
