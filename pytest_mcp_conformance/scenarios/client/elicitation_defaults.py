"""Elicitation: a client that accepts a form whose fields have defaults answers with a value for each.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import ErrorAnswer
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, is_number
from pytest_mcp_conformance.mock_server import MockCall, MockTool, Script
from pytest_mcp_conformance.model import Level, Requirement, SpecRef
from pytest_mcp_conformance.scenarios.client.capabilities import takes_forms
from pytest_mcp_conformance.scenarios.client.unobserved import not_observed
from pytest_mcp_conformance.scenarios.client.wires import stateful_revisions
from pytest_mcp_conformance.scenarios.declaration import client_scenario
from pytest_mcp_conformance.stage import Stage

ANSWER_SECONDS = 60.0  # for the form to come back, as published: the client may have to ask a person

TOOL = "test_client_elicitation_defaults"
CHOICES: list[JsonValue] = ["active", "inactive", "pending"]
SEP_1034 = (SpecRef(id="SEP-1034", url="https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1034"),)


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of the form, and what a client that supports defaults sends for it."""

    name: str
    schema: JsonObject
    requirement: Requirement
    fits: Callable[[JsonValue], bool]
    wanted: str


def _field(name: str, schema: JsonObject, kind: str, fits: Callable[[JsonValue], bool], wanted: str) -> Field:
    requirement = Requirement(
        id=f"client-elicitation-sep1034-{kind}-default",
        name=f"ClientElicitationSEP1034{kind.capitalize()}Default",
        level=Level.MUST,
        text=f"The content of an accepted form has {wanted} for the field with such a default.",
        spec=SEP_1034,
    )
    return Field(name=name, schema=schema, requirement=requirement, fits=fits, wanted=wanted)


FIELDS = (
    _field(
        "name",
        {"type": "string", "description": "The name of a person", "default": "John Doe"},
        "string",
        lambda value: isinstance(value, str),
        "a string",
    ),
    _field(
        "age",
        {"type": "integer", "description": "The age in years", "default": 30},
        "integer",
        is_number,  # published: a fraction passes, too
        "a number without a fraction",
    ),
    _field(
        "score",
        {"type": "number", "description": "A score", "default": 95.5},
        "number",
        is_number,
        "a number",
    ),
    _field(
        "status",
        {"type": "string", "description": "A status", "enum": CHOICES, "default": "active"},
        "enum",
        lambda value: value in CHOICES,
        "one of the choices",
    ),
    _field(
        "verified",
        {"type": "boolean", "description": "Whether it was verified", "default": True},
        "boolean",
        lambda value: isinstance(value, bool),
        "true or false",
    ),
)
GENERAL = Requirement(
    id="client-elicitation-sep1034-general",
    name="ClientElicitationSEP1034General",
    level=Level.MUST,
    text="A form is answered with a well-formed result that accepts it.",
    spec=SEP_1034,
    exceptional=True,
)
FORM: JsonObject = {
    "message": "Review these values and send them as they are",
    "requestedSchema": {
        "type": "object",
        "properties": {field.name: field.schema for field in FIELDS},
        "required": [],
    },
}


@client_scenario(
    name="elicitation-sep1034-client-defaults",
    introduced_in="2025-11-25",
    removed_in="2026-07-28",
    lists=frozenset({"core"}),
    purpose="When the client accepts a form whose fields all have defaults, its answer has a value of the right type for each.",
    task=f"Declare elicitation, call {TOOL} without arguments, and accept the form that comes during the call with the defaults"
    " of its fields.",
    decides=(GENERAL, *(field.requirement for field in FIELDS)),
    charged=FIELDS[0].requirement,
)
async def elicitation_defaults(stage: Stage, checks: Checks) -> None:
    asking = Asking(checks)
    tool = MockTool(
        name=TOOL, input_schema={"type": "object", "properties": {}, "required": []}, returns=asking.during_the_call
    )
    server = await stage.mock(Script(tools=[tool], revisions=stateful_revisions(stage)))
    await stage.client(server.url)
    asking.conclude()


class Asking:
    """Asks the client for a form, and decides what comes back."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks
        self._open = 0
        self._accepted = False
        self._instead = f"{TOOL} was not called"

    async def during_the_call(self, call: MockCall) -> str:
        """Answer a call of the tool."""
        # MUST NOT be asked without the capability: 2025-11-25, basic/lifecycle#operation, client/elicitation#capabilities
        if not takes_forms(call.capabilities):
            self._instead = "the client does not declare elicitation with forms, and so cannot be asked for one"
            return "This client cannot be asked"
        self._open += 1
        self._instead = "the form was not accepted"
        try:
            # SHOULD relate to the request on whose stream it is sent: 2025-11-25,
            # basic/transports#sending-messages-to-the-server, item 6
            async with asyncio.timeout(ANSWER_SECONDS):
                result = await call.ask("elicitation/create", FORM)
        except TimeoutError:
            self._refuse(Shown(f"none within {ANSWER_SECONDS:g} s"))
        except ErrorAnswer as error:
            self._refuse(error.got)
        else:
            self._take(result)
        self._open -= 1
        return "The form was asked for"

    def conclude(self) -> None:
        """Decide what is open when the client has ended."""
        if self._open:
            self._refuse(Shown("none before the client ended"))
        if not self._accepted:
            for field in FIELDS:
                name = field.requirement.id.replace("-", "")
                not_observed(self._checks, field.requirement, self._instead, name=name)

    def _refuse(self, got: object) -> None:
        self._checks.fail(GENERAL, expected="an answer that accepts the form", got=got)

    def _take(self, result: JsonObject) -> None:
        if result.get("action") != "accept" or not is_elicit_result(result):
            self._refuse(result)
            return
        self._accepted = True
        decide_content(as_object(result.get("content")), self._checks)


def is_elicit_result(result: JsonObject) -> bool:
    """Tell whether a result has the shape of an answer to a form, as far as action and content go."""
    content = result.get("content")
    if result.get("action") not in ("accept", "decline", "cancel"):
        return False
    return content is None or (isinstance(content, dict) and all(map(_is_entered, content.values())))


def _is_entered(value: JsonValue) -> bool:
    if isinstance(value, list):
        return all(isinstance(entry, str) for entry in value)
    return isinstance(value, str | bool) or is_number(value)


def decide_content(content: JsonObject, checks: Checks) -> None:
    """Decide the content of an accepted form."""
    for field in FIELDS:
        value = content.get(field.name)
        checks.decide(
            field.requirement,
            field.fits(value),
            expected=f"{field.name} to be {field.wanted}",
            got=content,
            details={
                "field": field.name,
                "expectedDefault": field.schema["default"],
                "receivedValue": value,
            },
        )
