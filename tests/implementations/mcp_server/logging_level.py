"""Log messages to the client, at or above the level that its session asked for."""

from typing import get_args

import mcp_types as types
from toolbox import Context

LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)  # from debug up to emergency

_level_of_session: dict[str, types.LoggingLevel] = {}


def _session(context: Context) -> str:
    return context.request.headers.get("mcp-session-id", "") if context.request else ""


async def set_level(context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
    """Answer logging/setLevel."""
    _level_of_session[_session(context)] = params.level
    return types.EmptyResult()


async def log(context: Context, level: types.LoggingLevel, data: str) -> None:
    """Send a log message with the answer to the running request, unless the session wants only graver ones.

    At 2026-07-28 there is no session: the SDK sends only what the request's own `_meta` asks for.
    """
    wanted = _level_of_session.get(_session(context), LEVELS[0])
    if LEVELS.index(level) >= LEVELS.index(wanted):
        await context.session.send_log_message(level, data, related_request_id=context.request_id)
