"""An MCP server on the official Python SDK that offers everything the conformance scenarios ask a server for.

    python server.py --port 3000

It speaks Streamable HTTP at http://127.0.0.1:PORT/mcp: with sessions up to 2025-11-25, and without at 2026-07-28.
"""

import argparse
import logging
import os
import socket
import warnings
from collections.abc import Mapping
from typing import Any, get_args

import mcp_types as types
import prompts
import resources
import uvicorn
from logging_level import set_level
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.subscriptions import ListenHandler
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from session_events import ResumableSessions
from starlette.applications import Starlette
from starlette.routing import Route
from stateful_tools import STATEFUL_TOOLS
from stateless_tools import STATELESS_TOOLS, SUBSCRIPTIONS
from toolbox import Context, ListedTool, Params, ToolResult
from tools import TOOLS

NAME = "conformance-server-on-the-python-sdk"
CACHEABLE: tuple[CacheableMethod, ...] = get_args(CacheableMethod)
RETRY_MS = 100  # what a client waits before it comes back to a stream that we ended early
SHUTDOWN_SECONDS = 1  # what open requests get to end by themselves

LISTENERS = ListenHandler(SUBSCRIPTIONS)


def tools_at(revision: str) -> dict[str, ListedTool]:
    """Return the tools of a protocol revision by name, in the order of tools/list."""
    asking = STATELESS_TOOLS if revision in MODERN_PROTOCOL_VERSIONS else STATEFUL_TOOLS
    return TOOLS.by_name | asking.by_name


async def list_tools(context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    """Answer tools/list."""
    return types.ListToolsResult(tools=[tool.listing for tool in tools_at(context.protocol_version).values()])


async def call_tool(context: Context, params: Params) -> ToolResult:
    """Answer tools/call."""
    tool = tools_at(context.protocol_version).get(params.name)
    if tool is None:
        # An unknown tool is a protocol error, not a tool result: 2025-11-25, server/tools#error-handling
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
    return await tool.call(context, params)


def input_schema(name: str) -> Mapping[str, Any] | None:
    """Return the schema by which the SDK compares Mcp-Param-* headers with arguments (2026-07-28)."""
    tool = STATELESS_TOOLS.by_name.get(name)
    return tool.listing.input_schema if tool else None


def mcp_server() -> Server[dict[str, Any]]:
    """Put the server together from its tools, prompts and resources."""
    server = Server(
        NAME,
        version="1.0.0",
        # MUST carry caching hints on every cacheable result: 2026-07-28, server/utilities/caching
        cache_hints=dict.fromkeys(CACHEABLE, CacheHint(ttl_ms=60_000, scope="public")),
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=prompts.list_prompts,
        on_get_prompt=prompts.get_prompt,
        on_completion=prompts.complete,
        on_list_resources=resources.list_resources,
        on_list_resource_templates=resources.list_resource_templates,
        on_read_resource=resources.read_resource,
        on_subscribe_resource=resources.subscribe,
        on_unsubscribe_resource=resources.unsubscribe,
        on_subscriptions_listen=LISTENERS,
    )
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)
    # MUST protect the state that a client brings back, and refuse what was altered: 2026-07-28, basic/patterns/mrtr
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=NAME))
    return server


def web_application(port: int) -> Starlette:
    """Return the server as a web application for `port` of this machine."""
    hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost")]
    sessions = ResumableSessions(
        mcp_server(),
        retry_interval=RETRY_MS,
        # MUST refuse a foreign Origin: 2025-11-25, basic/transports#security-warning
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=hosts,
            allowed_origins=[f"http://{host}" for host in hosts],
        ),
    )
    return Starlette(
        routes=[Route("/mcp", StreamableHTTPASGIApp(sessions))], lifespan=lambda _application: sessions.run()
    )


class WebServer(uvicorn.Server):
    """Uvicorn, which first tells listening clients that their streams end."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the open subscriptions/listen streams with their result, then everything else."""
        LISTENERS.close()
        # Event streams of sessions are cut at this point; to uvicorn each of them would be an error worth a line.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def main() -> None:
    """Serve until a signal ends it."""
    parser = argparse.ArgumentParser(description="An MCP server on the official Python SDK")
    parser.add_argument("--port", type=int, default=os.environ.get("PORT", "3000"), help="Port on 127.0.0.1")
    port: int = parser.parse_args().port

    # Logging, sampling and roots are deprecated from 2026-07-28 on; the revisions before it are served with them.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    logging.basicConfig(level=logging.ERROR)
    config = uvicorn.Config(
        web_application(port),
        host="127.0.0.1",
        port=port,
        log_level="error",
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    WebServer(config).run()


if __name__ == "__main__":
    main()
