"""Routing headers on the methods of tasks: Mcp-Method and Mcp-Name repeat the body, and the server compares.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#streamable-http-routing-headers
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, shown, truthy
from pytest_mcp_conformance.model import TASKS_EXTENSION, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.headers import header_value
from pytest_mcp_conformance.protocol.json_rpc import HEADER_MISMATCH
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.header_verdicts import BAD_REQUEST
from pytest_mcp_conformance.scenarios.server.tasks.declaring import (
    EXTENSION,
    GREET,
    HEADERS,
    SLOW_COMPUTE,
    TASKS,
    bootstrap,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.tasks.lifecycle import NO_TASK
from pytest_mcp_conformance.scenarios.server.tasks.parts import connected, failing
from pytest_mcp_conformance.scenarios.server.tasks.task import COMPLETE, Task, call, start

BOOTSTRAP = bootstrap("tasks-headers-bootstrap", "TasksHeadersBootstrap")
METHOD_ACCEPTED = published(
    "tasks-headers-tolerate-mcp-method-on-tools-call",
    "TasksHeadersTolerateMcpMethodOnToolsCall",
    "A tool call whose Mcp-Method says so is answered.",
    HEADERS,
    TASKS,
)
NAME_ACCEPTED = published(
    "sep-2663-routing-headers-accepted-on-tasks-get",
    "Sep2663RoutingHeadersAcceptedOnTasksGet",
    "tasks/get whose Mcp-Name is the id of the task is answered.",
    HEADERS,
    TASKS,
)
METHOD_REJECTED = published(
    "tasks-headers-reject-mismatched-method",
    "TasksHeadersRejectMismatchedMethod",
    f"A tool call whose Mcp-Method is tasks/get is refused with {HEADER_MISMATCH}.",
    HEADERS,
    TASKS,
)
NAME_REJECTED = published(
    "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
    "Sep2663ServerRejectsMismatchedMcpNameOnTasksGet",
    f"tasks/get whose Mcp-Name is the id of another task is refused with {HEADER_MISMATCH}.",
    HEADERS,
    TASKS,
)
EVERY_NAME_REJECTED = own(
    "mismatched-name-refused",
    "MismatchedNameRefused",
    f"tasks/get, tasks/update and tasks/cancel with another Mcp-Name are refused with HTTP 400 and error {HEADER_MISMATCH}.",
    place="streamable-http-routing-headers",
)

OTHER_TASK = "sep-2663-wrong-task-id-for-routing-header-mismatch"
GREETED = "sep-2243"


@server_scenario(
    name="tasks-request-headers",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="Routing headers of tasks are accepted where they repeat the body, and refused where they do not.",
    decides=(
        METHOD_ACCEPTED,
        NAME_ACCEPTED,
        METHOD_REJECTED,
        NAME_REJECTED,
        BOOTSTRAP,
        EVERY_NAME_REJECTED,
    ),
    charged=BOOTSTRAP,
    needs=Needs(tools=(GREET, SLOW_COMPUTE), methods=("tasks/get, tasks/update, tasks/cancel",)),
)
async def request_headers(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, BOOTSTRAP, EXTENSION)
    if client is None:
        return
    await method_accepted(client, checks)
    task = await name_accepted(client, checks)
    await method_rejected(client, checks)
    await name_rejected(task, checks)
    if task is not None:
        await task.dismiss()


async def method_accepted(client: Peer, checks: Checks) -> None:
    """Send the header that every request has to have."""
    expected = f'a complete result with the text "Hello, {GREETED}!"'
    with failing(checks, METHOD_ACCEPTED, expected=expected):
        result = (await call(client, GREET.name, {"name": GREETED}, headers={"Mcp-Method": "tools/call"})).created
        content = as_list(result.get("content"))
        text = as_object(content[0]).get("text") if content else None
        holds = result.get("resultType") == COMPLETE and text == f"Hello, {GREETED}!"
        checks.decide(METHOD_ACCEPTED, holds, expected=expected, got=result)


async def name_accepted(client: Peer, checks: Checks) -> Task | None:
    """Ask about a task with its id in the header. Return the task, if there is one."""
    task: Task | None = None
    with failing(checks, NAME_ACCEPTED, expected="the task"):
        task = await start(client, SLOW_COMPUTE.name, {"seconds": 60, "label": "headers-tasks-get"})
        current = await task.get(headers=_routing("tasks/get", task.id))
        checks.decide(
            NAME_ACCEPTED,
            task.is_told_by(current) and truthy(current.get("status")),
            expected=f"the task {shown(task.id)} and its status",
            got=current,
        )
    return task


async def method_rejected(client: Peer, checks: Checks) -> None:
    """Say in the header that a tool call is something else."""
    answer = await client.ask(
        "tools/call",
        {"name": GREET.name, "arguments": {"name": "header-mismatch"}},
        headers={"Mcp-Method": "tasks/get"},
        malformed=True,
    )
    checks.decide_error(METHOD_REJECTED, answer, codes=(HEADER_MISMATCH,))


async def name_rejected(task: Task | None, checks: Checks) -> None:
    """Name another task in the header than in the body."""
    if task is None:
        checks.fail(NAME_REJECTED, expected="a task to ask about", got=NO_TASK)
        checks.untestable(EVERY_NAME_REJECTED, NO_TASK)
        return
    params: dict[str, JsonObject] = {
        "tasks/get": {"taskId": task.id},
        "tasks/update": {"taskId": task.id, "inputResponses": {}},
        "tasks/cancel": {"taskId": task.id},
    }
    # MUST be refused with 400 and -32020: 2026-07-28, basic/transports/streamable-http#server-validation
    accepted: dict[str, JsonValue] = {}
    for method, given in params.items():
        answer = await task.peer.ask(method, given, headers=_routing(method, OTHER_TASK), malformed=True)
        if method == "tasks/get":
            checks.decide_error(NAME_REJECTED, answer, codes=(HEADER_MISMATCH,))
        refused = answer.error is not None and answer.error.code == HEADER_MISMATCH
        if not refused or answer.status != BAD_REQUEST:
            accepted[method] = f"HTTP {answer.status}, {answer.shown()}"
    checks.decide(
        EVERY_NAME_REJECTED, not accepted, expected=f"HTTP {BAD_REQUEST} and error {HEADER_MISMATCH}", got=accepted
    )


def _routing(method: str, task_id: JsonValue) -> dict[str, str | None]:
    """Return the headers of a request about a task; an id that is no text has no header."""
    return {"Mcp-Method": method, "Mcp-Name": header_value(task_id) if isinstance(task_id, str) else None}
