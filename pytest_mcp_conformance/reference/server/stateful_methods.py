"""The methods that only the stateful wire has, and all that it has together."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.server.calls import LOG_LEVELS, Call, Handler
from pytest_mcp_conformance.reference.server.features import FEATURES
from pytest_mcp_conformance.reference.server.sessions import Session
from pytest_mcp_conformance.reference.server.stateful_calls import StatefulCall
from pytest_mcp_conformance.serving.incoming import (
    text,
)
from pytest_mcp_conformance.serving.refusals import invalid_params, unknown_method


async def ping(_call: Call) -> JsonObject:
    """Answer ping. MUST be empty: 2025-11-25, basic/utilities/ping#behavior-requirements."""
    return {}


def _session(call: Call) -> Session:
    if not isinstance(call, StatefulCall):
        raise TypeError("only calls of the stateful wire have a session")
    return call.session


async def set_log_level(call: Call) -> JsonObject:
    """Answer logging/setLevel. SHOULD refuse unknown levels: 2025-11-25, server/utilities/logging#error-handling."""
    level = text(call.params, "level")
    if level not in LOG_LEVELS:
        raise invalid_params(f"Unknown log level: {level}")
    _session(call).log_level = level
    return {}


async def subscribe(call: Call) -> JsonObject:
    """Answer resources/subscribe."""
    _session(call).subscriptions.add(text(call.params, "uri"))
    return {}


async def unsubscribe(call: Call) -> JsonObject:
    """Answer resources/unsubscribe."""
    _session(call).subscriptions.discard(text(call.params, "uri"))
    return {}


async def unknown(call: Call) -> JsonObject:
    """Refuse a method that the stateful wire does not have."""
    raise unknown_method(call.request.method)


METHODS: Mapping[str, Handler] = {
    "ping": ping,
    "logging/setLevel": set_log_level,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe,
    **FEATURES,
}
