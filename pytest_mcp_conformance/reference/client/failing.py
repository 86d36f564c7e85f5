"""How the client fails: one exception for what ends it, and one for a request that a server refused."""

from __future__ import annotations

from pytest_mcp_conformance.protocol.json_rpc import RpcError


class ClientFailure(Exception):
    """What the client was to do cannot be done; the message says why, and goes to stderr."""


class RequestRefused(ClientFailure):
    """The server answered a request with a JSON-RPC error."""

    def __init__(self, method: str, error: RpcError) -> None:
        super().__init__(f"{method} was refused: {error.shown()}")
        self.error = error
