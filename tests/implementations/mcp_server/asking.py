"""How a server of 2026-07-28 asks its client: an input_required result, and a retry that brings the answers.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from collections.abc import Iterable

import mcp_types as types
from mcp.shared.exceptions import MCPError
from toolbox import Context, JsonSchema, declared_by_client

CAPABILITY_FOR = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}


def elicitation(message: str, **fields: JsonSchema) -> types.ElicitRequest:
    """Return the request for a form of required fields."""
    form = {"type": "object", "properties": fields, "required": list(fields)}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=form))


def sampling(prompt: str, *, max_tokens: int) -> types.CreateMessageRequest:
    """Return the request for one answer of the client's model."""
    message = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    )


def roots() -> types.ListRootsRequest:
    """Return the request for the client's roots."""
    return types.ListRootsRequest(params=types.RequestParams())


def require(context: Context, capabilities: Iterable[str]) -> None:
    """Refuse the request unless the client declared all `capabilities`.

    :raises MCPError: one is missing.
    """
    missing = set(capabilities) - declared_by_client(context)
    if missing:
        # MUST name what is required, as an object like the client's own capabilities: 2026-07-28, basic/index
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "The client did not declare a capability that this request needs",
            data={"requiredCapabilities": {name: {} for name in sorted(missing)}},
        )


def ask(
    context: Context, requests: dict[str, types.InputRequest], *, state: str | None = None
) -> types.InputRequiredResult:
    """Return the result that has the client answer `requests` and come back, with `state` if there is one.

    The state leaves sealed and comes back verified (see RequestStateBoundary in server.py).
    """
    require(context, (CAPABILITY_FOR[request.method] for request in requests.values()))
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def answer(params: types.InputResponseRequestParams, key: str) -> types.InputResponse | None:
    """Return what the client answered under `key`; keys that were not asked for are left alone."""
    return (params.input_responses or {}).get(key)


def form_value(params: types.InputResponseRequestParams, key: str, field: str) -> object | None:
    """Return a field of the form under `key`; None until the user accepts it, so that the caller asks again."""
    form = answer(params, key)
    if not isinstance(form, types.ElicitResult) or form.action != "accept":
        return None
    return (form.content or {}).get(field)
