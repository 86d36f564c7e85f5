"""Tools that need input before they can answer: one round, several rounds, with and without state.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject, as_list
from pytest_mcp_conformance.reference.server import content
from pytest_mcp_conformance.reference.server.calls import Call, ToolFailure
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.input_requests import (
    InputRequest,
    declares,
    elicit,
    form_content,
    list_roots,
    needed_capability,
    sample,
    sampled_text,
)
from pytest_mcp_conformance.reference.server.tools.tool import tool

NAME_FORM = elicit("What is your name?", {"name": {"type": "string"}}, required=("name",))
CONFIRMATION = elicit("Please confirm", {"ok": {"type": "boolean"}}, required=("ok",))


async def ask_form(call: Call, key: str, form: InputRequest, *, sealed: bool = False) -> JsonObject:
    """Return what the user filled in.

    :raises ToolFailure: the user would not.
    """
    filled = form_content((await call.ask({key: form}, sealed=sealed))[key])
    if filled is None:
        raise ToolFailure("The user did not fill in the form")
    return filled


@tool("test_input_required_result_elicitation", "Asks the user for a name.")
async def name(call: Call, _arguments: JsonObject) -> JsonObject:
    """Greet the user by name."""
    filled = await ask_form(call, "user_name", NAME_FORM)
    return content.tool_result(content.text(f"Hello, {filled['name']}!"))


@tool("test_input_required_result_sampling", "Asks the client's model for a capital.")
async def capital(call: Call, _arguments: JsonObject) -> JsonObject:
    """Pass on what the model says."""
    answers = await call.ask({"sample_request": sample("What is the capital of France?", max_tokens=100)})
    return content.tool_result(content.text(f"Sampling result: {sampled_text(answers['sample_request'])}"))


@tool("test_input_required_result_list_roots", "Asks the client for its roots.")
async def roots(call: Call, _arguments: JsonObject) -> JsonObject:
    """Count the roots."""
    answers = await call.ask({"roots_request": list_roots()})
    return content.tool_result(content.text(f"Found {_count_roots(answers['roots_request'])} root(s)"))


@tool("test_input_required_result_request_state", "Asks for a confirmation and sends state along.")
async def request_state(call: Call, _arguments: JsonObject) -> JsonObject:
    """Accept the confirmation only with the state."""
    filled = await ask_form(call, "confirm", CONFIRMATION, sealed=True)
    return content.tool_result(content.text(f"state-ok: confirmed is {filled['ok']}"))


@tool("test_input_required_result_tampered_state", "Asks for a confirmation and checks the state that comes back.")
async def tampered_state(call: Call, _arguments: JsonObject) -> JsonObject:
    """Accept the confirmation only with the state."""
    filled = await ask_form(call, "confirm", CONFIRMATION, sealed=True)
    return content.tool_result(content.text(f"The state was intact: confirmed is {filled['ok']}"))


@tool("test_input_required_result_multiple_inputs", "Asks the user, the model and for the roots at once.")
async def multiple_inputs(call: Call, _arguments: JsonObject) -> JsonObject:
    """Use three answers."""
    asked: dict[str, InputRequest] = {
        "user_name": NAME_FORM,
        "greeting": sample("Generate a greeting", max_tokens=50),
        "client_roots": list_roots(),
    }
    answers = await call.ask(asked, sealed=True)
    filled = form_content(answers["user_name"]) or {}
    said = f"{sampled_text(answers['greeting'])} {filled.get('name')}, {_count_roots(answers['client_roots'])} root(s)"
    return content.tool_result(content.text(said))


@tool("test_input_required_result_multi_round", "Asks twice, one thing after the other.")
async def multi_round(call: Call, _arguments: JsonObject) -> JsonObject:
    """Ask for a name, then for a color."""
    first = elicit("Step 1: What is your name?", {"name": {"type": "string"}}, required=("name",))
    named = await ask_form(call, "step1", first, sealed=True)
    second = elicit("Step 2: What is your favorite color?", {"color": {"type": "string"}}, required=("color",))
    chosen = await ask_form(call, "step2", second, sealed=True)
    return content.tool_result(content.text(f"{named['name']} likes {chosen['color']}"))


@tool("test_input_required_result_capabilities", "Asks for whatever the client can give.")
async def capabilities(call: Call, _arguments: JsonObject) -> JsonObject:
    """Ask within what the client declared.

    MUST NOT ask for what was not declared: 2026-07-28, basic/patterns/mrtr#server-requirements-basic-workflow, item 7
    """
    possible: dict[str, InputRequest] = {
        "elicit_input": NAME_FORM,
        "sample_input": sample("Say something", max_tokens=50),
    }
    asked = {key: request for key, request in possible.items() if _can_be_asked(call, request)}
    answers: Mapping[str, JsonObject] = await call.ask(asked) if asked else {}
    return content.tool_result(content.text(f"Answered: {', '.join(answers) or 'nothing'}"))


@tool("test_missing_capability", "Works only for clients that can sample.")
async def missing_capability(call: Call, _arguments: JsonObject) -> JsonObject:
    """Refuse clients without sampling."""
    call.require({"sampling": {}})
    return content.tool_result(content.text("Success"))


def _can_be_asked(call: Call, request: InputRequest) -> bool:
    declared = declares(call.capabilities, needed_capability(request))
    return declared or Fault.CAPABILITIES_IGNORED in call.world.faults


def _count_roots(answer: JsonObject) -> int:
    return len(as_list(answer.get("roots")))


TOOLS = (
    name,
    capital,
    roots,
    request_state,
    tampered_state,
    multiple_inputs,
    multi_round,
    capabilities,
    missing_capability,
)
