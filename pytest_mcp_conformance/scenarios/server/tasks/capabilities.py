"""Who may have tasks: what the server declares, and what it refuses to clients that declare nothing.

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension#capability-negotiation
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown, truthy
from pytest_mcp_conformance.model import TASKS_EXTENSION, Level, Needs
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.peer.stateless import META
from pytest_mcp_conformance.protocol.json_rpc import MISSING_CAPABILITY, Answer
from pytest_mcp_conformance.scenarios.declaration import server_scenario
from pytest_mcp_conformance.scenarios.server.tasks.declaring import (
    CAN_BE_ASKED,
    EXTENSION,
    FAILING_JOB,
    SLOW_COMPUTE,
    STATELESS,
    TASKS,
    bootstrap,
    own,
    published,
)
from pytest_mcp_conformance.scenarios.server.tasks.parts import connected, failing
from pytest_mcp_conformance.scenarios.server.tasks.task import TASK, Task, call

NEGOTIATION_BOOTSTRAP = bootstrap("tasks-capability-bootstrap", "TasksCapabilityBootstrap")
ADVERTISED = published(
    "tasks-extension-advertised",
    "TasksExtensionAdvertised",
    f"The server declares {TASKS_EXTENSION} among its extensions, and no capability tasks.",
    TASKS,
    STATELESS,
)
METHODS_GATED = published(
    "sep-2663-tasks-methods-non-declaring",
    "TasksMethodsGatedWithoutExtension",
    f"tasks/get, tasks/update and tasks/cancel are refused with {MISSING_CAPABILITY} to a client without the extension.",
    TASKS,
    STATELESS,
)
CALLS_GATED = published(
    "sep-2663-server-rejects-undeclared-client",
    "TasksToolsCallWithoutExtensionSync",
    "A client without the extension gets the result of a tool, not a task.",
    TASKS,
    STATELESS,
)
DECLARED_ONCE = published(
    "tasks-per-request-meta-opt-in",
    "TasksPerRequestMetaOptIn",
    "The extension counts for the request that declares it, whatever others declared.",
    TASKS,
    STATELESS,
)
METHODS_NAME_EXTENSION = own(
    "refusal-names-extension",
    "RefusalNamesExtension",
    f"The refusals of tasks/get, tasks/update and tasks/cancel list {TASKS_EXTENSION} as required.",
    place="protocol-errors",
)
ERROR_BOOTSTRAP = bootstrap("tasks-required-error-bootstrap", "TasksRequiredErrorBootstrap")
REFUSED = published(
    "sep-2663-server-returns-missing-capability-when-required",
    "Sep2663ServerReturnsMissingCapabilityWhenRequired",
    f"A tool that works only as a task is refused with {MISSING_CAPABILITY} to a client without the extension.",
    STATELESS,
    TASKS,
)
DATA_SHAPE = published(
    "sep-2663-server-returns-missing-capability-data-shape",
    "Sep2663ServerReturnsMissingCapabilityDataShape",
    "The data of that error, if there is any, list the extension as required.",
    STATELESS,
    TASKS,
    level=Level.SHOULD,
)
CALL_NAMES_EXTENSION = own(
    "refused-call-names-extension",
    "RefusedCallNamesExtension",
    f"The refusal of a tool that works only as a task lists {TASKS_EXTENSION} as required.",
    place="capability-negotiation",
)

NAMED = f"data with requiredCapabilities {shown(EXTENSION)}"
UNKNOWN_TASK = "gate-test"
GATED: dict[str, JsonObject] = {
    "tasks/get": {"taskId": UNKNOWN_TASK},
    "tasks/update": {"taskId": UNKNOWN_TASK, "inputResponses": {}},
    "tasks/cancel": {"taskId": UNKNOWN_TASK},
}


@server_scenario(
    name="tasks-capability-negotiation",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="The server declares the extension, and keeps tasks from requests that do not.",
    decides=(
        ADVERTISED,
        METHODS_GATED,
        CALLS_GATED,
        DECLARED_ONCE,
        NEGOTIATION_BOOTSTRAP,
        METHODS_NAME_EXTENSION,
    ),
    charged=NEGOTIATION_BOOTSTRAP,
    needs=Needs(
        tools=(SLOW_COMPUTE,),
        methods=("server/discover, tasks/get, tasks/update, tasks/cancel",),
        capabilities=("extensions",),
    ),
)
async def capability_negotiation(peer: Peer, checks: Checks) -> None:
    declaring = await connected(peer, checks, NEGOTIATION_BOOTSTRAP, CAN_BE_ASKED)
    if declaring is None:
        return
    silent = await connected(peer, checks, NEGOTIATION_BOOTSTRAP, {})
    if silent is None:
        return
    await advertised(declaring, checks)
    await gated(silent, checks)
    await undeclared_call(silent, checks)
    await declared_once(silent, declaring, checks)


async def advertised(client: Peer, checks: Checks) -> None:
    """Look for the extension where it belongs, and for what stood in its place in 2025-11-25."""
    expected = f"extensions with {TASKS_EXTENSION}, and no tasks beside it"
    with failing(checks, ADVERTISED, expected=expected):
        capabilities = as_object((await client.discover()).get("capabilities"))
        extensions, old = capabilities.get("extensions"), truthy(capabilities.get("tasks"))
        declared = truthy(as_object(extensions).get(TASKS_EXTENSION))
        # MUST NOT go on declaring the old capability: SEP-2663, backward compatibility
        checks.decide(
            ADVERTISED,
            declared and not old,
            expected=expected,
            got=capabilities,
            details={
                "hasExtensions": truthy(extensions),
                "hasTasksExtension": declared,
                "hasV1TasksSlot": old,
            },
        )


async def gated(client: Peer, checks: Checks) -> None:
    """Ask for tasks without saying that tasks are understood."""
    answers = {method: await client.ask(method, params) for method, params in GATED.items()}
    came: dict[str, JsonValue] = {method: answer.shown() for method, answer in answers.items()}
    # MUST be refused: SEP-2663, protocol errors
    checks.decide(
        METHODS_GATED,
        all(lacks_capability(answer) for answer in answers.values()),
        expected=f"error {MISSING_CAPABILITY} to each of them",
        got=came,
    )
    # MUST list what is missing: 2026-07-28, basic#_meta, per-request protocol fields
    unnamed: dict[str, JsonValue] = {
        method: data_of(answer) if lacks_capability(answer) else answer.shown()
        for method, answer in answers.items()
        if not (lacks_capability(answer) and names_extension(data_of(answer)))
    }
    checks.decide(METHODS_NAME_EXTENSION, not unnamed, expected=NAMED, got=unnamed)


async def undeclared_call(client: Peer, checks: Checks) -> None:
    """Call a tool that could be a task. MUST NOT be one: SEP-2663, capability negotiation."""
    expected = "a result with content that is no task"
    with failing(checks, CALLS_GATED, expected=expected):
        result = (await call(client, SLOW_COMPUTE.name, {"seconds": 0, "label": "capability-no-ext"})).created
        is_task = result.get("resultType") == TASK or truthy(result.get("taskId")) or truthy(result.get("task"))
        checks.decide(
            CALLS_GATED,
            not is_task and truthy(result.get("content")),
            expected=expected,
            got=result,
            details={"resultType": result.get("resultType"), "hasTaskId": truthy(result.get("taskId"))},
        )


async def declared_once(client: Peer, declaring: Peer, checks: Checks) -> None:
    """Declare the extension in a single request of a client that does not otherwise."""
    expected = "a task"
    with failing(checks, DECLARED_ONCE, expected=expected):
        task = await call(
            client,
            SLOW_COMPUTE.name,
            {"seconds": 1, "label": "capability-meta-opt"},
            params={"_meta": {f"{META}clientCapabilities": EXTENSION}},
        )
        created = task.created
        checks.decide(
            DECLARED_ONCE,
            created.get("resultType") == TASK and task.exists and not truthy(created.get("task")),
            expected=expected,
            got=created,
            details={"resultType": created.get("resultType"), "taskId": task.id},
        )
        await Task(declaring, created).dismiss()


@server_scenario(
    name="tasks-required-task-error",
    extension=TASKS_EXTENSION,
    pending=True,
    purpose="A tool that works only as a task refuses clients without the extension and says what is missing.",
    decides=(REFUSED, DATA_SHAPE, ERROR_BOOTSTRAP, CALL_NAMES_EXTENSION),
    charged=ERROR_BOOTSTRAP,
    needs=Needs(tools=(FAILING_JOB,)),
)
async def required_task_error(peer: Peer, checks: Checks) -> None:
    client = await connected(peer, checks, ERROR_BOOTSTRAP, {})
    if client is None:
        return
    answer = await client.ask("tools/call", {"name": FAILING_JOB.name, "arguments": {}})
    refused, data = lacks_capability(answer), data_of(answer)
    # MUST be refused: SEP-2663, capability negotiation
    checks.decide(
        REFUSED,
        refused,
        expected=f"error {MISSING_CAPABILITY}",
        got=answer.shown(),
        details={"observedCode": answer.error.code} if answer.error and not refused else None,
    )
    if refused and data is None:
        checks.inform(DATA_SHAPE, "the error has no data that could be looked at")
    elif refused and not lists_extension(data):
        checks.fail(DATA_SHAPE, expected=NAMED, got=data)
    elif refused:
        checks.succeed(DATA_SHAPE)
    # MUST indicate the extension: SEP-2663, capability negotiation
    checks.decide(
        CALL_NAMES_EXTENSION,
        refused and names_extension(data),
        expected=NAMED,
        got=data if refused else answer.shown(),
    )


def lacks_capability(answer: Answer) -> bool:
    """Tell whether the answer says that the client lacks a capability."""
    return answer.error is not None and answer.error.code == MISSING_CAPABILITY


def data_of(answer: Answer) -> JsonValue:
    """Return the data of the error; null if there are none."""
    return answer.error.data if answer.error is not None else None


def _required(data: JsonValue) -> JsonObject:
    return as_object(as_object(as_object(data).get("requiredCapabilities")).get("extensions"))


def lists_extension(data: JsonValue) -> bool:
    """Tell whether the extension is a member of the required ones, whatever its value."""
    return TASKS_EXTENSION in _required(data)


def names_extension(data: JsonValue) -> bool:
    """Tell whether the extension is among the required ones, written as a client declares it: with an object."""
    return isinstance(_required(data).get(TASKS_EXTENSION), dict)
