"""Tools that ask the client's model or the user, and the forms they ask with.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call
from pytest_mcp_conformance.reference.server.input_requests import InputRequest, elicit, sample, sampled_text
from pytest_mcp_conformance.reference.server.tools.tool import arguments_of, tool

OPTIONS: list[JsonValue] = ["option1", "option2", "option3"]
TITLED: list[JsonValue] = [{"const": f"value{number}", "title": f"Value {number}"} for number in (1, 2, 3)]

ACCOUNT: JsonObject = {"username": {"type": "string"}, "email": {"type": "string"}}

DEFAULTS: JsonObject = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}

CHOICES: JsonObject = {
    "untitledSingle": {"type": "string", "enum": OPTIONS},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}


@tool(
    "test_sampling",
    "Asks the client's model to go on from a prompt.",
    arguments_of("prompt", prompt={"type": "string"}),
)
async def sampling(call: Call, arguments: JsonObject) -> JsonObject:
    """Ask the model and pass on what it says."""
    answers = await call.ask({"sample": sample(str(arguments["prompt"]), max_tokens=100)})
    return content.tool_result(content.text(f"LLM response: {sampled_text(answers['sample'])}"))


@tool("test_elicitation", "Asks the user for an account.", arguments_of("message", message={"type": "string"}))
async def elicitation(call: Call, arguments: JsonObject) -> JsonObject:
    """Ask for a user name and an address."""
    return await _fill_in(call, elicit(str(arguments["message"]), ACCOUNT, required=("username", "email")))


# Defaults of every type and the new forms of choices came with 2025-11-25.
@tool("test_elicitation_sep1034_defaults", "Asks with a default of each type.", since=Revision.V2025_11_25)
async def defaults(call: Call, _arguments: JsonObject) -> JsonObject:
    """Ask with a form whose fields are filled in already."""
    return await _fill_in(call, elicit("Please review the defaults", DEFAULTS))


@tool("test_elicitation_sep1330_enums", "Asks with each form of choice.", since=Revision.V2025_11_25)
async def choices(call: Call, _arguments: JsonObject) -> JsonObject:
    """Ask with a form of choices."""
    return await _fill_in(call, elicit("Please choose", CHOICES))


async def _fill_in(call: Call, form: InputRequest) -> JsonObject:
    answer = (await call.ask({"form": form}))["form"]
    said = f"Elicitation completed: action={answer['action']}, content={dumps(answer.get('content', {}))}"
    return content.tool_result(content.text(said))


TOOLS = (sampling, elicitation, defaults, choices)
