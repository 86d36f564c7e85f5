"""Tools whose work may become a task.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonObject, is_number
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.json_rpc import INTERNAL_ERROR
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call, ToolFailure
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.input_requests import elicit, form_content
from pytest_mcp_conformance.reference.server.tasks import NEEDED
from pytest_mcp_conformance.reference.server.tools.input_rounds import NAME_FORM, ask_form
from pytest_mcp_conformance.reference.server.tools.tool import arguments_of, tool
from pytest_mcp_conformance.serving.refusals import Refusal

JOB_SECONDS = 0.3  # until a job fails: long enough to be seen working
LONGEST_SECONDS = 3600.0

SINCE = Revision.V2026_07_28
DURATION: JsonObject = {"type": "number", "minimum": 0, "maximum": LONGEST_SECONDS}
CONFIRM_FORM = elicit("Really delete the file?", {"confirm": {"type": "boolean"}}, required=("confirm",))


@tool("greet", "Greets by name, at once.", arguments_of("name", name={"type": "string"}), since=SINCE)
async def greet(call: Call, arguments: JsonObject) -> JsonObject:
    """Say hello."""

    async def work(_inside: Call) -> JsonObject:
        return content.tool_result(content.text(f"Hello, {arguments['name']}!"))

    in_background = Fault.GREETING_AS_TASK in call.world.faults
    if "task" in call.params and Fault.OLD_TASK_PARAM_HONOURED in call.world.faults:
        in_background = True
    return await (call.in_background(work) if in_background else work(call))


@tool(
    "slow_compute",
    "Takes its time.",
    arguments_of("seconds", seconds=DURATION, label={"type": "string"}),
    since=SINCE,
)
async def slow_compute(call: Call, arguments: JsonObject) -> JsonObject:
    """Wait, then tell so."""
    given = arguments["seconds"]
    seconds = given if is_number(given) else 0

    async def work(_inside: Call) -> JsonObject:
        await asyncio.sleep(seconds)
        return content.tool_result(content.text(f"Computed {arguments.get('label', 'nothing')} in {seconds} s"))

    result = await call.in_background(work)
    if seconds == 0 and Fault.INSTANT_TASK_WITHOUT_ID in call.world.faults:
        result.pop("taskId", None)
    return result


@tool("failing_job", "Fails after a while; works only as a task.", since=SINCE)
async def failing_job(call: Call, _arguments: JsonObject) -> JsonObject:
    """Fail in a way that the model can read."""

    async def work(_inside: Call) -> JsonObject:
        await asyncio.sleep(JOB_SECONDS)
        raise ToolFailure("The job failed, as it should")

    # MUST refuse clients that cannot take a task: SEP-2663, capability negotiation
    call.require(NEEDED)
    return await call.in_background(work)


@tool("protocol_error_job", "Ends in a protocol error.", since=SINCE)
async def protocol_error_job(call: Call, _arguments: JsonObject) -> JsonObject:
    """Fail below the tool."""

    async def work(_inside: Call) -> JsonObject:
        await asyncio.sleep(JOB_SECONDS)
        raise Refusal(INTERNAL_ERROR, "The job broke down, as it should")

    return await call.in_background(work)


@tool(
    "confirm_delete",
    "Asks before it deletes a file.",
    arguments_of("filename", filename={"type": "string"}),
    since=SINCE,
)
async def confirm_delete(call: Call, arguments: JsonObject) -> JsonObject:
    """Ask, then pretend."""

    async def work(inside: Call) -> JsonObject:
        unasked = Fault.DELETES_UNASKED in call.world.faults
        confirmed = unasked or (await ask_form(inside, "confirm", CONFIRM_FORM))["confirm"]
        said = f"{'Deleted' if confirmed else 'Kept'} {arguments['filename']}"
        return content.tool_result(content.text(said))

    return await call.in_background(work)


@tool("multi_input", "Asks two things at once.", since=SINCE)
async def multi_input(call: Call, _arguments: JsonObject) -> JsonObject:
    """Ask for two names."""

    async def work(inside: Call) -> JsonObject:
        answers = await inside.ask({"first": NAME_FORM, "second": NAME_FORM})
        names = [str((form_content(answer) or {}).get("name")) for answer in answers.values()]
        return content.tool_result(content.text(f"Named {' and '.join(names)}"))

    return await call.in_background(work)


@tool("test_tool_with_task", "Asks for a name, then works on it as a task.", since=SINCE)
async def tool_with_task(call: Call, _arguments: JsonObject) -> JsonObject:
    """Ask before there is a task.

    SHOULD resolve input rounds before the task is created: SEP-2663, task creation
    """
    filled = await ask_form(call, "user_name", NAME_FORM)

    async def work(_inside: Call) -> JsonObject:
        await asyncio.sleep(JOB_SECONDS)
        return content.tool_result(content.text(f"Worked for {filled['name']}"))

    return await call.in_background(work)


TOOLS = (
    greet,
    slow_compute,
    failing_job,
    protocol_error_job,
    confirm_delete,
    multi_input,
    tool_with_task,
)
