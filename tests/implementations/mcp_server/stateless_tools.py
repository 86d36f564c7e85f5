"""Tools of 2026-07-28: what they need of the client they ask for in their result, and the retry brings the answer."""

import mcp_types as types
from asking import CAPABILITY_FOR, answer, ask, elicitation, form_value, require, roots, sampling
from logging_level import log
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ToolsListChanged
from toolbox import Context, Params, Toolbox, ToolResult, declared_by_client, text

STATELESS_TOOLS = Toolbox()
SUBSCRIPTIONS = InMemorySubscriptionBus()  # from the tools that change something to the open subscriptions/listen


# One round: ask, and answer when the retry brings what was asked for.


@STATELESS_TOOLS.tool("test_input_required_result_elicitation")
async def input_required_result_elicitation(context: Context, params: Params) -> ToolResult:
    """Greet the user by name."""
    name = form_value(params, "user_name", "name")
    if name is None:
        return ask(context, {"user_name": elicitation("What is your name?", name={"type": "string"})})
    return text(f"Hello, {name}!")


@STATELESS_TOOLS.tool("test_input_required_result_sampling")
async def input_required_result_sampling(context: Context, params: Params) -> ToolResult:
    """Have the client's model name a capital."""
    reply = answer(params, "sample_request")
    if not isinstance(reply, types.CreateMessageResult):
        return ask(context, {"sample_request": sampling("What is the capital of France?", max_tokens=100)})
    words = reply.content.text if isinstance(reply.content, types.TextContent) else reply.content.type
    return text(f"Sampling result: {words}")


@STATELESS_TOOLS.tool("test_input_required_result_list_roots")
async def input_required_result_list_roots(context: Context, params: Params) -> ToolResult:
    """Count the client's roots."""
    listed = answer(params, "roots_request")
    if not isinstance(listed, types.ListRootsResult):
        return ask(context, {"roots_request": roots()})
    return text(f"Found {len(listed.roots)} root(s)")


@STATELESS_TOOLS.tool("test_input_required_result_capabilities")
async def input_required_result_capabilities(context: Context, params: Params) -> ToolResult:
    """Ask for whatever the client can give."""
    wanted: dict[str, types.InputRequest] = {
        "elicit_input": elicitation("What is your name?", name={"type": "string"}),
        "sample_input": sampling("Generate a greeting", max_tokens=50),
    }
    # MUST NOT ask for what the client did not declare: 2026-07-28, basic/patterns/mrtr#basic-workflow
    declared = declared_by_client(context)
    requests = {key: request for key, request in wanted.items() if CAPABILITY_FOR[request.method] in declared}
    if not requests:
        require(context, {"elicitation"})
    if any(answer(params, key) is None for key in requests):
        return ask(context, requests)
    return text(f"The client answered {', '.join(requests)}")


# Several rounds, or several requests at once: the state tells where the exchange stands.


@STATELESS_TOOLS.tool("test_input_required_result_request_state")
async def input_required_result_request_state(context: Context, params: Params) -> ToolResult:
    """Ask to be confirmed, and know by the state that it was asked."""
    confirmed = form_value(params, "confirm", "ok")
    if params.request_state != "asked" or confirmed is None:
        return ask(context, {"confirm": elicitation("Please confirm", ok={"type": "boolean"})}, state="asked")
    return text(f"state-ok, confirmed: {confirmed}")


@STATELESS_TOOLS.tool("test_input_required_result_tampered_state")
async def input_required_result_tampered_state(context: Context, params: Params) -> ToolResult:
    """Ask to be confirmed, and refuse a state that is not its own."""
    return await input_required_result_request_state(context, params)


@STATELESS_TOOLS.tool("test_input_required_result_multiple_inputs")
async def input_required_result_multiple_inputs(context: Context, params: Params) -> ToolResult:
    """Ask for a name, a greeting and the roots at once."""
    name = form_value(params, "user_name", "name")
    greeting = answer(params, "greeting")
    listed = answer(params, "client_roots")
    if params.request_state != "asked" or name is None or greeting is None or listed is None:
        requests: dict[str, types.InputRequest] = {
            "user_name": elicitation("What is your name?", name={"type": "string"}),
            "greeting": sampling("Generate a greeting", max_tokens=50),
            "client_roots": roots(),
        }
        return ask(context, requests, state="asked")
    return text(f"{name} was greeted.")


@STATELESS_TOOLS.tool("test_input_required_result_multi_round")
async def input_required_result_multi_round(context: Context, params: Params) -> ToolResult:
    """Ask for a name, then for a colour."""
    # The first answer travels in the state of the second round: nothing is kept here between two requests.
    state = params.request_state or ""
    name = state.removeprefix("name:") if state.startswith("name:") else form_value(params, "step1", "name")
    if name is None:
        step1 = elicitation("Step 1: What is your name?", name={"type": "string"})
        return ask(context, {"step1": step1}, state="asked")
    color = form_value(params, "step2", "color")
    if color is None:
        step2 = elicitation("Step 2: What is your favorite color?", color={"type": "string"})
        return ask(context, {"step2": step2}, state=f"name:{name}")
    return text(f"{name} likes {color}")


# What a request carries: capabilities, a log level, headers that repeat an argument.


@STATELESS_TOOLS.tool("test_missing_capability")
async def missing_capability(context: Context, _params: Params) -> ToolResult:
    """Need a client with the sampling capability."""
    require(context, {"sampling"})
    return text("Success")


@STATELESS_TOOLS.tool("test_streaming_elicitation")
async def streaming_elicitation(context: Context, _params: Params) -> ToolResult:
    """Stream a notification before the result, and never ask on that stream."""
    await context.session.report_progress(1, total=1)
    return text("Streaming complete")


@STATELESS_TOOLS.tool("test_logging_tool")
async def logging_tool(context: Context, _params: Params) -> ToolResult:
    """Log one message, if the request asks for log messages."""
    await log(context, "info", "Logging evaluated")
    return text("Logging evaluated")


@STATELESS_TOOLS.tool(
    "test_routed_by_header",
    arguments={
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
    },
)
async def routed_by_header(_context: Context, params: Params) -> ToolResult:
    """Take a region that a header repeats, so that a gateway can route the call without reading its body."""
    # The SDK has compared Mcp-Param-Region with the argument before it calls a tool.
    return text(f"Region: {(params.arguments or {})['region']}")


# What open subscriptions/listen streams hear of.


@STATELESS_TOOLS.tool("test_trigger_tool_change")
async def trigger_tool_change(_context: Context, _params: Params) -> ToolResult:
    """Announce a changed list of tools."""
    await SUBSCRIPTIONS.publish(ToolsListChanged())
    return text("Mutation triggered")


@STATELESS_TOOLS.tool("test_trigger_prompt_change")
async def trigger_prompt_change(_context: Context, _params: Params) -> ToolResult:
    """Announce a changed list of prompts."""
    await SUBSCRIPTIONS.publish(PromptsListChanged())
    return text("Mutation triggered")
