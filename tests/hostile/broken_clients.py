"""A client with many ways to be broken. The behaviour is the first argument, the URL the second.

python -I -S broken_clients.py BEHAVIOUR URL

It is no client library that is wrong: it writes bytes to sockets, because most of what it does no library would.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import time
import zlib
from collections.abc import Callable

MEGABYTE = 1024 * 1024
LONG_SECONDS = 600  # more than any test waits
STRAY_SECONDS = 5  # that a child outside of the process group lives

BEHAVIOURS: dict[str, Callable[[Server], None]] = {}


class Server:
    """Where the client was told to go."""

    def __init__(self, url: str) -> None:
        self.host, _, path = url.removeprefix("http://").partition("/")
        self.path = f"/{path}"

    def connect(self) -> socket.socket:
        """Open a connection."""
        name, _, port = self.host.partition(":")
        return socket.create_connection((name, int(port)), timeout=20)

    def head(
        self,
        *lines: str,
        target: str | None = None,
        method: str = "POST",
        length: int | None = None,
        keep: bool = False,
    ) -> bytes:
        """Return a request but for its body.

        :param keep: the connection is for further requests.
        """
        fields = [
            f"{method} {target or self.path} HTTP/1.1",
            f"Host: {self.host}",
            "Accept: application/json, text/event-stream",
            "Content-Type: application/json",
            *lines,
            *([] if keep else ["Connection: close"]),
            *([] if length is None else [f"Content-Length: {length}"]),
        ]
        return "".join(f"{line}\r\n" for line in [*fields, ""]).encode("latin-1")

    def post(self, body: bytes, *lines: str, keep: bool = False) -> bytes:
        """Return a request with its body."""
        return self.head(*lines, length=len(body), keep=keep) + body

    def ask(self, data: bytes) -> bytes:
        """Send bytes on a connection of their own; return what comes."""
        with self.connect() as sock:
            send(sock, data)
            return received(sock)


def send(sock: socket.socket, data: bytes) -> None:
    """Send bytes; that the server has heard enough of them is no surprise."""
    with contextlib.suppress(OSError):
        sock.sendall(data)


def received(sock: socket.socket, *, pause: float = 0.2) -> bytes:
    """Return what comes until the end, or until nothing does for `pause` seconds after the first of it."""
    chunks = []
    with contextlib.suppress(OSError):
        while chunk := sock.recv(65536):
            chunks.append(chunk)
            sock.settimeout(pause)
    return b"".join(chunks)


def message(method: str, params: object = None, number: object = 1, **more: object) -> dict:  # type: ignore[type-arg]
    """Return a request, of both wires at once."""
    found = {"jsonrpc": "2.0", "id": number, "method": method, **more}
    return found if params is None else {**found, "params": params}


def initialize(**info: object) -> dict:  # type: ignore[type-arg]
    """Return the request that opens a session."""
    version = os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"]
    known = {"name": "broken", "version": "1", **info}
    return message("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": known})


def written(value: object) -> bytes:
    """Return a value as JSON."""
    return json.dumps(value).encode()


def behaves(behave: Callable[[Server], None]) -> Callable[[Server], None]:
    """Make a function a behaviour under its name."""
    BEHAVIOURS[behave.__name__] = behave
    return behave


# Connections.


@behaves
def never_connects(_server: Server) -> None:
    """Is content without having done anything."""


@behaves
def connects_and_sends_nothing(server: Server) -> None:
    server.connect().close()


@behaves
def connects_and_hangs(server: Server) -> None:
    with server.connect():
        time.sleep(LONG_SECONDS)


@behaves
def opens_500_connections(server: Server) -> None:
    connections = [server.connect() for _ in range(500)]
    for each in connections[::2]:
        send(each, server.head(length=10))
    sys.stdout.write(f"{len(connections)} open\n")


@behaves
def opens_500_connections_and_hangs(server: Server) -> None:
    connections = [server.connect() for _ in range(500)]
    sys.stdout.write(f"{len(connections)} open\n")
    sys.stdout.flush()
    time.sleep(LONG_SECONDS)


@behaves
def resets_its_connections(server: Server) -> None:
    for _ in range(20):
        sock = server.connect()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        send(sock, server.post(written(initialize())))
        sock.close()


@behaves
def leaves_before_the_answer(server: Server) -> None:
    for _ in range(20):
        with server.connect() as sock:
            send(sock, server.post(written(initialize())))


@behaves
def leaves_a_child_with_an_open_connection(server: Server) -> None:
    """The child is out of the process group, and its standard streams are closed: a daemon as the book has it."""
    with server.connect() as idle, server.connect() as asked, server.connect() as half:
        send(asked, server.post(written(initialize())))
        received(asked)
        send(half, server.head(length=10))
        if os.fork() == 0:
            os.setsid()
            for stream in range(3):
                os.close(stream)
            time.sleep(STRAY_SECONDS)
            os._exit(0)
        idle.getpeername()


# Requests that are none.


@behaves
def sends_garbage(server: Server) -> None:
    server.ask(bytes(range(256)) * 100)


@behaves
def speaks_tls(server: Server) -> None:
    server.ask(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500))


@behaves
def sends_half_a_head(server: Server) -> None:
    with server.connect() as sock:
        send(sock, server.head(length=10)[:40])


@behaves
def sends_half_a_head_and_hangs(server: Server) -> None:
    with server.connect() as sock:
        send(sock, server.head(length=10)[:40])
        time.sleep(LONG_SECONDS)


@behaves
def sends_half_a_body(server: Server) -> None:
    body = written(initialize())
    with server.connect() as sock:
        send(sock, server.post(body)[: -len(body) // 2])


@behaves
def sends_half_a_body_and_hangs(server: Server) -> None:
    body = written(initialize())
    with server.connect() as sock:
        send(sock, server.post(body)[: -len(body) // 2])
        time.sleep(LONG_SECONDS)


@behaves
def sends_half_a_body_and_fails(server: Server) -> None:
    sends_half_a_body(server)
    sys.exit("cannot go on")


@behaves
def sends_endless_headers(server: Server) -> None:
    with server.connect() as sock, contextlib.suppress(OSError):
        sock.sendall(server.head()[:-2])
        for number in range(100_000):
            sock.sendall(f"X-{number}: {'x' * 100}\r\n".encode())


@behaves
def sends_one_endless_header(server: Server) -> None:
    with server.connect() as sock, contextlib.suppress(OSError):
        sock.sendall(server.head()[:-2] + b"X-Long: ")
        for _ in range(50):
            sock.sendall(b"x" * MEGABYTE)


@behaves
def speaks_http_2(server: Server) -> None:
    server.ask(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + b"\0\0\5\1\5\0\0\0\1\xff\xff\xff\xff\xff")


@behaves
def asks_for_a_websocket(server: Server) -> None:
    fields = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {'a' * 22}==")
    server.ask(server.head("Connection: Upgrade", *fields, method="GET", keep=True))


@behaves
def sends_bad_chunks(server: Server) -> None:
    server.ask(server.head("Transfer-Encoding: chunked") + b"zz\r\n{}\r\n0\r\n\r\n")
    server.ask(server.head("Transfer-Encoding: chunked", length=3) + b"3\r\n{}\n\r\n0\r\n\r\n")


@behaves
def sends_headers_of_bytes(server: Server) -> None:
    for value in ("\xff\xfe\x80", "a\tb", "\x1b[31m", "x\x00y"):
        for name in ("X-Any", "Mcp-Session-Id", "MCP-Protocol-Version", "Authorization", "Content-Type", "Mcp-Name"):
            server.ask(server.post(written(initialize()), f"{name}: {value}"))


@behaves
def speaks_http_1_0(server: Server) -> None:
    server.ask(server.post(written(initialize())).replace(b"HTTP/1.1", b"HTTP/1.0"))


@behaves
def has_another_host(server: Server) -> None:
    request = server.post(written(initialize()))
    server.ask(request.replace(b"Host: localhost", b"Host: \xe4xample.org"))
    server.ask(request.replace(f"Host: {server.host}".encode(), b"X: y"))
    server.ask(request.replace(f"Host: {server.host}".encode(), f"Host: {server.host}\r\nHost: [::".encode()))


# Too much.


@behaves
def sends_50_megabytes(server: Server) -> None:
    with server.connect() as sock, contextlib.suppress(OSError):
        sock.sendall(server.head(length=50 * MEGABYTE))
        for _ in range(50):
            sock.sendall(b" " * MEGABYTE)
        received(sock)


@behaves
def sends_50_megabytes_in_chunks(server: Server) -> None:
    with server.connect() as sock, contextlib.suppress(OSError):
        sock.sendall(server.head("Transfer-Encoding: chunked"))
        for _ in range(50):
            sock.sendall(b"100000\r\n" + b" " * MEGABYTE + b"\r\n")
        received(sock)


@behaves
def sends_3_megabytes_40_times(server: Server) -> None:
    for _ in range(40):
        server.ask(server.post(written(message("tools/call", {"name": "x" * 3 * MEGABYTE}))))


@behaves
def sends_2000_requests(server: Server) -> None:
    """Pipelined, because nobody waits for them."""
    request = server.post(written(message("tools/list", {})), keep=True)
    for _ in range(4):
        with server.connect() as sock:
            send(sock, request * 500)
            received(sock)


@behaves
def compresses_64_megabytes(server: Server) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = b"".join([*(packer.compress(bytes(MEGABYTE)) for _ in range(64)), packer.flush()])
    server.ask(server.post(body, "Content-Encoding: gzip"))


@behaves
def sends_a_batch_of_100000(server: Server) -> None:
    server.ask(server.post(b"[" + b",".join([written(message("ping"))] * 50_000) + b"]"))
    server.ask(server.post(b"[" + b",".join([b"{}"] * 100_000) + b"]"))


@behaves
def nests_100000_levels(server: Server) -> None:
    server.ask(server.post(b"[" * 100_000 + b"]" * 100_000))
    server.ask(server.post(b'{"a":' * 100_000 + b"1" + b"}" * 100_000))


@behaves
def nests_150_levels_everywhere(server: Server) -> None:
    deep: object = 1
    for _ in range(150):
        deep = [deep]
    for each in (initialize(name=deep), message("tools/call", {"name": "add_numbers", "arguments": {"a": deep}})):
        server.ask(server.post(written(each)))


@behaves
def writes_100_megabytes(_server: Server) -> None:
    for _ in range(100):
        sys.stdout.write("x" * MEGABYTE)
    sys.exit(3)


# Wrong.


@behaves
def calls_endpoints_that_do_not_exist(server: Server) -> None:
    for method in ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "BREW"):
        for target in ("/", "/mcp/", "/sse", "/%ff%00", "/..//..", "/mcp?a=%ff", "http://localhost/mcp", "*", "/\\"):
            server.ask(server.head(method=method, target=target, length=0))


@behaves
def sends_invalid_utf_8(server: Server) -> None:
    server.ask(server.post(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize\xff"}'))
    server.ask(server.post(b"\xff\xfe\0"))


@behaves
def sends_what_is_no_json(server: Server) -> None:
    for body in (b"", b"{", b"null", b"1e999", b"NaN", b"[]", b'"a"', b"\xef\xbb\xbf{}", b"{}{}"):
        server.ask(server.post(body))


@behaves
def has_control_characters_everywhere(server: Server) -> None:
    ugly = "\x1b[31m\x1b]0;title\x07\u202e\ud800\r\n\0"
    server.ask(server.post(written(initialize(name=ugly, version=ugly))))
    for method in ("initialize", "tools/call", ugly):
        params = {
            "protocolVersion": ugly,
            "clientInfo": {ugly: ugly},
            "name": ugly,
            "arguments": {ugly: ugly, "a": ugly},
        }
        server.ask(server.post(written(message(method, params, ugly))))
    sys.stdout.write("\x1b[31m\x1b]0;title\x07\u202e\r")
    sys.stdout.flush()
    os.write(2, b"\xff\xed\xa0\x80\x1b[2J")
    sys.exit(1)


@behaves
def pipelines(server: Server) -> None:
    with server.connect() as sock:
        send(sock, server.post(written(initialize()), keep=True) * 100)
        received(sock)


@behaves
def answers_what_nobody_asked(server: Server) -> None:
    ids: tuple[object, ...] = (0, 1, "1", None, 1e999, -(10**400), [], {})
    for number in ids:
        answer = {"jsonrpc": "2.0", "id": number}
        server.ask(server.post(written({**answer, "result": {}})))
        server.ask(server.post(written({**answer, "error": {"code": "x", "message": []}})))


@behaves
def has_members_of_wrong_types(server: Server) -> None:
    """Whatever a scenario looks at is something else."""
    session = (
        server.ask(server.post(written(initialize()))).partition(b"ession-")[2].partition(b"\r")[0].decode("latin-1")
    )
    wrong: tuple[object, ...] = (None, True, -1, 1e300, "", "x", [], [None], [[]], {}, {"": None}, {"name": {}})
    for method in METHODS:
        for value in wrong:
            for params in (value, dict.fromkeys(MEMBERS, value), {name: {"x": value} for name in MEMBERS}):
                fields = (
                    [f"Mcp-Session-{session}", f"Mcp-Method: {method}", f"Mcp-Name: {str(value)[:5]}"]
                    if session
                    else []
                )
                with server.connect() as sock:
                    send(sock, server.post(written(message(method, params)), *fields))
                    sock.shutdown(socket.SHUT_WR)


@behaves
def calls_every_tool_with_wrong_arguments(server: Server) -> None:
    """Speaks its wire as it should, so that the functions behind the tools are reached."""
    version = os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"]
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "broken", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
    }
    opened = server.ask(server.post(written(initialize())))
    session = opened.lower().partition(b"mcp-session-id: ")[2].partition(b"\r")[0].decode()
    fields = [f"MCP-Protocol-Version: {version}", *([f"Mcp-Session-Id: {session}"] if session else [])]

    def asked(method: str, name: object = "", **params: object) -> bytes:
        body = written(message(method, {**params, **({"name": name} if name else {}), "_meta": meta}))
        return server.ask(server.post(body, *fields, f"Mcp-Method: {method}", f"Mcp-Name: {name}"))

    listed = asked("tools/list")
    start, end = listed.find(b'{"jsonrpc'), listed.rfind(b"}")
    tools = json.loads(listed[start : end + 1]).get("result", {}).get("tools", []) if start >= 0 else []
    values: tuple[object, ...] = (None, True, 1e300, -(10**400), "\ud800\x1b[31m", [[]], {"": [None]})
    for tool in tools:
        members = tool.get("inputSchema", {}).get("properties", {})
        for value in values:
            asked("tools/call", tool.get("name"), arguments=dict.fromkeys(members, value), requestState=value)
            asked("tools/call", tool.get("name"), arguments=value, inputResponses=dict.fromkeys(members, value))
    sys.stdout.write(f"{len(tools)} tools\n")


METHODS = ("initialize", "server/discover", "tools/list", "tools/call", "resources/read", "prompts/get", "skills/list")
MEMBERS = (
    "_meta",
    "arguments",
    "capabilities",
    "clientInfo",
    "cursor",
    "inputResponses",
    "name",
    "protocolVersion",
    "requestState",
    "uri",
)


# Streams.


@behaves
def reads_half_a_stream_and_hangs(server: Server) -> None:
    reads_half_a_stream(server)
    time.sleep(LONG_SECONDS)


@behaves
def reads_half_a_stream(server: Server) -> None:
    """Opens a session, calls the tool whose answer streams, and reads a little of it."""
    opened = server.ask(server.post(written(initialize())))
    session = opened.lower().partition(b"mcp-session-id: ")[2].partition(b"\r")[0].decode()
    fields = [f"Mcp-Session-Id: {session}"]
    server.ask(server.post(written({"jsonrpc": "2.0", "method": "notifications/initialized"}), *fields))
    sock = server.connect()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    send(sock, server.post(written(message("tools/call", {"name": "large", "arguments": {}}, 2)), *fields))
    sys.stdout.write(repr(sock.recv(100)))
    sys.stdout.flush()
    KEPT.append(sock)


KEPT: list[socket.socket] = []


if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]](Server(sys.argv[2]))
