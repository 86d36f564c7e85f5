"""How the scenarios of this folder declare their requirements, what they need, and what they declare as clients."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.model import TASKS_EXTENSION, Level, Requirement, SpecRef, Tool

PAGE = "https://modelcontextprotocol.io/seps/2663-tasks-extension"
TASKS = SpecRef(id="SEP-2663", url=PAGE)
ROUND_TRIPS = SpecRef(id="SEP-2322", url="https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr")
STATELESS = SpecRef(id="SEP-2575", url="https://modelcontextprotocol.io/seps/2575-stateless-mcp")
HEADERS = SpecRef(id="SEP-2243", url="https://modelcontextprotocol.io/seps/2243-http-standardization")

# What a client says that can take a task for an answer, and one that can also be asked.
EXTENSION: JsonObject = {"extensions": {TASKS_EXTENSION: {}}}
CAN_BE_ASKED: JsonObject = {"elicitation": {}, "sampling": {}, **EXTENSION}


def published(
    id: str,  # noqa: A002 -- the member's name
    name: str,
    text: str,
    *spec: SpecRef,
    level: Level = Level.MUST,
    exceptional: bool = False,
) -> Requirement:
    """Declare a requirement of the published suite; the extension is the place where no other is named."""
    return Requirement(id=id, name=name, level=level, text=text, spec=spec or (TASKS,), exceptional=exceptional)


def bootstrap(id: str, name: str) -> Requirement:  # noqa: A002 -- the member's name
    """Declare the requirement that is decided only where no connection can be opened. No stateless server breaks it."""
    return published(id, name, "The server can be connected to.", exceptional=True)


def own(id: str, name: str, text: str, *, place: str, level: Level = Level.MUST) -> Requirement:  # noqa: A002
    """Declare a requirement that the published suite does not have; `place` is a heading of the extension's page."""
    spec = (SpecRef(id="SEP-2663", url=f"{PAGE}#{place}"),)
    return Requirement(id=f"x-tasks-{id}", name=f"Tasks{name}", level=level, text=text, spec=spec, addition=True)


def _arguments(**properties: JsonValue) -> JsonObject:
    return {"type": "object", "properties": properties, "required": [*properties]}


GREET = Tool(
    name="greet",
    input_schema=_arguments(name={"type": "string"}),
    returns='a complete result with the text "Hello, <name>!"',
    behaviour="is never a task, also not for a request with a member task in params",
)
SLOW_COMPUTE = Tool(
    name="slow_compute",
    input_schema=_arguments(seconds={"type": "number"}, label={"type": "string"}),
    returns="some text after `seconds`",
    behaviour=(
        "is a task for a request that declares the extension, else synchronous; called with 0, 1, 2 and 60 seconds, ends"
        " within 10 s of tasks/cancel, can be read half a second after its end"
    ),
)
FAILING_JOB = Tool(
    name="failing_job",
    returns="after about 1 s a tool error (isError true)",
    behaviour="works only as a task: error -32021 for a request that does not declare the extension",
)
PROTOCOL_ERROR_JOB = Tool(
    name="protocol_error_job", returns="no result", behaviour="is a task that fails with a JSON-RPC error within 10 s"
)
CONFIRM_DELETE = Tool(
    name="confirm_delete",
    input_schema=_arguments(filename={"type": "string"}),
    returns="some text, once the user has confirmed",
    behaviour=(
        "is a task that asks with one elicitation/create within 5 s (a form with the boolean confirm) and completes within"
        " 10 s of the answer"
    ),
)
MULTI_INPUT = Tool(
    name="multi_input",
    returns="some text, once both are answered",
    behaviour=(
        "is a task that asks with two elicitation/create at once within 5 s (forms with the string name); after the answer to"
        " one it goes on asking for the other, after both it completes within 10 s"
    ),
)
TOOL_WITH_TASK = Tool(
    name="test_tool_with_task",
    returns="a text with the name that was given",
    behaviour=(
        "first an input_required result with one elicitation/create (a form with the string name) and no taskId; for the retry"
        " with the answer it is a task that completes within 10 s"
    ),
)
