"""An authorization server that does what a test says, path by path."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode

WELL_KNOWN = "/.well-known/oauth-authorization-server"
CODE = "the-c0de-s3cr3t"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request; the names of headers are written like this: Content-Type."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: str

    def parameter(self, name: str) -> str:
        """Return a parameter of the query or the form."""
        return parse_qs(f"{self.query}&{self.body}").get(name, [""])[0]


@dataclass(frozen=True, kw_only=True)
class Told:
    """One answer. A body that is no bytes and no text is JSON; `endless` repeats it until the client goes."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = b""
    endless: bool = False


Script = Mapping[str, Callable[[Asked], Told]]


class Scripted:
    """The server, and what it was asked."""

    def __init__(self, url: str, asked: list[Asked]) -> None:
        self.url = url
        self.asked = asked

    def to(self, path: str) -> list[Asked]:
        """Return what was asked of `path`."""
        return [each for each in self.asked if each.path == path]


def metadata(**members: Any) -> Callable[[Asked], Told]:
    """Return an answer with metadata of which some members are others; None leaves one out."""

    def told(asked: Asked) -> Told:
        issuer = f"http://{asked.headers['Host']}"
        document = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            **members,
        }
        return Told(body={name: value for name, value in document.items() if value is not None})

    return told


def nothing(_: Asked) -> Told:
    """Say that nothing is there."""
    return Told(status=404)


def consenting(asked: Asked) -> Told:
    """Send the user back at once."""
    parameters = urlencode({"code": CODE, "state": asked.parameter("state")})
    return Told(status=302, headers={"Location": f"{asked.parameter('redirect_uri')}?{parameters}"})


@contextmanager
def scripted(script: Script) -> Iterator[Scripted]:
    """Run a server that answers as `script` says, what is not in it as a good one would, and the rest with 404."""
    whole: Script = {WELL_KNOWN: metadata(), "/authorize": consenting, **script}
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            headers = {name.title(): value for name, value in self.headers.items()}
            request = Asked(method=self.command, path=path, query=query, headers=headers, body=body)
            asked.append(request)
            answer = whole.get(path, nothing)(request)
            is_json = not isinstance(answer.body, bytes | str)
            text = json.dumps(answer.body) if is_json else answer.body
            content = text.encode() if isinstance(text, str) else text
            self.send_response(answer.status)
            length = {} if answer.endless else {"Content-Length": str(len(content))}
            fields = {"Content-Type": "application/json", "Cache-Control": "no-store"} | length | dict(answer.headers)
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # the client may go at any time
                self.wfile.write(content)
                while answer.endless:
                    self.wfile.write(content)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name of the base class
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Scripted(f"http://127.0.0.1:{server.server_port}", asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
