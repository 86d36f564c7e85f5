"""How this client connects: at the protocol revision of the run, by the SDK's own means."""

import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Unpack

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.client import ConnectMode
from mcp.client.extension import ClientExtension
from mcp.client.session import ElicitationFnT, ListRootsFnT, SamplingFnT
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from typing_extensions import TypedDict

TIMEOUT = httpx2.Timeout(30, read=300)  # seconds; what the SDK takes where it makes the HTTP client
CLIENT = types.Implementation(name="conformance-client-on-the-python-sdk", version="1.0.0")


@dataclass(frozen=True, kw_only=True)
class Run:
    """What the harness told this client."""

    url: str
    revision: str
    context: dict[str, Any] = field(default_factory=dict)


Task = Callable[[Run], Awaitable[None]]


class Abilities(TypedDict, total=False):
    """What the host behind the client can do; the SDK declares a capability for each."""

    elicitation_callback: ElicitationFnT
    sampling_callback: SamplingFnT
    list_roots_callback: ListRootsFnT
    extensions: list[ClientExtension]


def http_client(auth: httpx2.Auth | None = None) -> httpx2.AsyncClient:
    """Return an HTTP client for the servers of a scenario: they speak plain HTTP, so it need not load certificates."""
    return httpx2.AsyncClient(auth=auth, timeout=TIMEOUT, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))


@asynccontextmanager
async def connected(
    run: Run, *, auth: httpx2.Auth | None = None, **abilities: Unpack[Abilities]
) -> AsyncGenerator[Client]:
    """Connect to the server of `run`, and disconnect at the end.

    :param auth: gets an access token when the server asks for one.
    """
    mode: ConnectMode = "auto" if run.revision in MODERN_PROTOCOL_VERSIONS else "legacy"
    async with http_client(auth) as http:
        transport = streamable_http_client(run.url, http_client=http)
        async with Client(transport, mode=mode, client_info=CLIENT, **abilities) as client:
            yield client
