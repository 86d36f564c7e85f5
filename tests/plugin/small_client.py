"""A client that begins at once, for tests that start many: it lists the tools and calls the first with the numbers 1 and 2.

python -I -S small_client.py [--calls NUMBER] URL

What a client of the official wire does beyond that, as far as the scenario tools_call asks for it, on both wires.
"""

from __future__ import annotations

import json
import os
import socket
import sys

STATELESS = "2026-07-28"


class Connection:
    """One HTTP connection to the server."""

    def __init__(self, url: str, version: str) -> None:
        self._host, _, self._path = url.removeprefix("http://").partition("/")
        self._version = version
        self._session: str | None = None
        name, _, port = self._host.partition(":")
        self._file = socket.create_connection((name, int(port))).makefile("rwb")

    def send(self, message: dict) -> dict:  # type: ignore[type-arg]
        """Send a message, and return what answers it."""
        headers = {
            "Host": self._host,
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        if self._version == STATELESS:
            message["params"] = message.get("params", {}) | {"_meta": META}
            headers |= {"MCP-Protocol-Version": self._version, "Mcp-Method": message["method"]}
            if "name" in message["params"]:
                headers["Mcp-Name"] = message["params"]["name"]
        elif self._session is not None:
            headers |= {"MCP-Protocol-Version": self._version, "Mcp-Session-Id": self._session}
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        headers["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._file.write(f"POST /{self._path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        self._file.flush()
        return self._answer()

    def _answer(self) -> dict:  # type: ignore[type-arg]
        status = self._file.readline().split()
        headers = {}
        while (line := self._file.readline().strip().decode()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        self._session = headers.get("mcp-session-id", self._session)
        body = self._file.read(int(headers.get("content-length", 0)))
        if not status[1].startswith(b"2"):
            sys.exit(f"HTTP {status[1].decode()}: {body.decode()}")
        return json.loads(body) if body else {}


META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "small-client", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def main() -> None:
    """Be a client."""
    *options, url = sys.argv[1:]
    version = os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"]
    server = Connection(url, version)
    if version != STATELESS:
        info = {"name": "small-client", "version": "1"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
        server.send({"id": 0, "method": "initialize", "params": params})
        server.send({"method": "notifications/initialized"})
    (tool, *_) = server.send({"id": 1, "method": "tools/list"})["result"]["tools"]
    calls = int(options[1]) if options[:1] == ["--calls"] else 1
    for number in range(calls):
        params = {"name": tool["name"], "arguments": {"a": 1, "b": 2}}
        answer = server.send({"id": 2 + number, "method": "tools/call", "params": params})
        sys.stdout.write(f"{answer['result']['content'][0]['text']}\n")


if __name__ == "__main__":
    main()
