"""What the scenarios outside authorization and extensions ask: tools, elicitation, retries, several round trips."""

import mcp_types as types
from connection import Run, Task, connected
from mcp.client import ClientRequestContext


async def list_tools(run: Run) -> None:
    """Connect and list the tools; do nothing with what their schemas point to."""
    async with connected(run) as client:
        await client.list_tools()


async def call_the_tool(run: Run) -> None:
    """Call the one tool that there is with two numbers."""
    async with connected(run) as client:
        [tool] = (await client.list_tools()).tools
        await client.call_tool(tool.name, {"a": 2, "b": 3})


async def accept_defaults(
    context: ClientRequestContext, params: types.ElicitRequestParams
) -> types.ElicitResult | types.ErrorData:
    """Accept a form as a user does who changes nothing: each field has its default."""
    if not isinstance(params, types.ElicitRequestFormParams):
        return types.ErrorData(code=types.INVALID_PARAMS, message="This client has no browser")
    fields = params.requested_schema.get("properties", {})
    defaults = {name: field["default"] for name, field in fields.items() if "default" in field}
    return types.ElicitResult(action="accept", content=defaults)


async def fill_in_a_form(run: Run) -> None:
    """Call the tool that asks the user for something."""
    async with connected(run, elicitation_callback=accept_defaults) as client:
        [tool] = (await client.list_tools()).tools
        await client.call_tool(tool.name, {})


async def survive_a_closed_stream(run: Run) -> None:
    """Call a tool whose stream the server ends before its result."""
    async with connected(run) as client:
        [tool] = (await client.list_tools()).tools
        await client.call_tool(tool.name, {})


async def refuse_sampling(
    context: ClientRequestContext, params: types.CreateMessageRequestParams
) -> types.CreateMessageResult | types.ErrorData:
    """Answer as a user does who does not want it."""
    return types.ErrorData(code=types.INVALID_REQUEST, message="The user declined")


async def list_no_roots(context: ClientRequestContext) -> types.ListRootsResult:
    """Answer as a host without an open folder."""
    return types.ListRootsResult(roots=[])


async def describe_itself(run: Run) -> None:
    """Send requests as a client that declares all that it can do."""
    async with connected(
        run,
        elicitation_callback=accept_defaults,
        sampling_callback=refuse_sampling,
        list_roots_callback=list_no_roots,
    ) as client:
        await client.list_tools()


async def confirm(
    context: ClientRequestContext, params: types.ElicitRequestParams
) -> types.ElicitResult | types.ErrorData:
    """Confirm; while the user thinks about it, another call goes its way."""
    await context.session.call_tool("test_mrtr_unrelated", {})
    return types.ElicitResult(action="accept", content={"confirmed": True})


async def bring_back_state(run: Run) -> None:
    """Call tools that need several round trips, and one that names no type of result."""
    async with connected(run, elicitation_callback=confirm) as client:
        await client.list_tools()
        for name in ("test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_no_result_type"):
            await client.call_tool(name, {})


async def echo_a_schema(run: Run) -> None:
    """Send back the schema of a tool as the SDK holds it."""
    async with connected(run) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        await client.call_tool("json_schema_echo", {"schema": tools["json_schema_2020_12_tool"].input_schema})


TASKS: dict[str, Task] = {
    "initialize": list_tools,
    "tools_call": call_the_tool,
    "elicitation-sep1034-client-defaults": fill_in_a_form,
    "sse-retry": survive_a_closed_stream,
    "request-metadata": describe_itself,
    "sep-2322-client-request-state": bring_back_state,
    "json-schema-ref-no-deref": list_tools,
    "json-schema-2020-12-preservation": echo_a_schema,
}
