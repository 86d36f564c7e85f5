"""Input in rounds: servers that are odd at one place, and the checks that say so."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from tests.scenarios.server.odd_reference import (
    Asked,
    Odd,
    Oddity,
    error,
    events,
    outcome,
    reply,
    result,
    text,
    to,
    unlike_the_reference,
)

PREFIX = "input-required-result-"
CALL, GET = "tools/call", "prompts/get"
FAILS, WARNS, ABSENT = "FAILURE", "WARNING", "ABSENT"

ELICIT: JsonObject = {
    "method": "elicitation/create",
    "params": {"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}},
}
SAMPLE: JsonObject = {
    "method": "sampling/createMessage",
    "params": {"messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}], "maxTokens": 5},
}
ROOTS: JsonObject = {"method": "roots/list"}
DONE: JsonObject = {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}

ELICITED, COMPLETED = "sep-2322-elicitation-incomplete", "sep-2322-elicitation-complete"

Case: TypeAlias = "tuple[str, str, Oddity, dict[str, str]]"


def asking(*, turn: int = 0, method: str = CALL, state: JsonValue = None, **requests: JsonValue) -> Oddity:
    """Return the oddity of a server that asks for this at a turn."""
    value: JsonObject = {"resultType": "input_required", "inputRequests": dict(requests)}
    if state is not None:
        value["requestState"] = state
    return to(method, lambda asked: reply(result(asked, value)), turn=turn)


def ending(value: JsonValue, *, turn: int = 1, method: str = CALL) -> Oddity:
    """Return the oddity of a server that answers a turn with this result."""
    return to(method, lambda asked: reply(result(asked, value)), turn=turn)


def junk(*, turn: int) -> Oddity:
    """Return the oddity of a server that answers a turn with JSON that is no response."""
    return to(CALL, lambda _: reply({"detail": "no"}, status=422), turn=turn)


def html(*, turn: int, method: str = CALL) -> Oddity:
    """Return the oddity of a server that answers a turn with no JSON."""
    return to(method, lambda _: text("no", status=500), turn=turn)


def refusing(*, turn: int, method: str = CALL) -> Oddity:
    """Return the oddity of a server that refuses a turn."""
    return to(method, lambda asked: reply(error(asked, -32602)), turn=turn)


# The second entry of an id that failed after it succeeded counts as its failure; the ids of later rounds are then absent.
ODD: list[Case] = [
    (f"{PREFIX}basic-elicitation", "asks under another key", asking(name=ELICIT), {ELICITED: FAILS, COMPLETED: ABSENT}),
    (f"{PREFIX}basic-elicitation", "asks the model", asking(user_name=SAMPLE), {ELICITED: FAILS, COMPLETED: ABSENT}),
    (f"{PREFIX}basic-elicitation", "asks null", asking(user_name=None), {ELICITED: FAILS, COMPLETED: ABSENT}),
    (
        f"{PREFIX}basic-elicitation",
        "asks in another word",
        ending({"resultType": "INPUT_REQUIRED", "inputRequests": {"user_name": ELICIT}}, turn=0),
        {ELICITED: FAILS, COMPLETED: ABSENT},
    ),
    (
        f"{PREFIX}basic-elicitation",
        "ends without content",
        ending({"resultType": "complete", "content": []}),
        {COMPLETED: FAILS},
    ),
    (
        f"{PREFIX}basic-elicitation",
        "ends with content that is no list",
        ending({"resultType": "complete", "content": "x"}),
        {COMPLETED: FAILS},
    ),
    (f"{PREFIX}basic-elicitation", "ends without resultType", ending({"content": DONE["content"]}), {}),
    (f"{PREFIX}basic-elicitation", "ends with a failed tool", ending({**DONE, "isError": True}), {}),
    (f"{PREFIX}basic-elicitation", "ends with junk", junk(turn=1), {COMPLETED: FAILS}),
    (f"{PREFIX}basic-elicitation", "ends without JSON", html(turn=1), {ELICITED: FAILS, COMPLETED: ABSENT}),
    (
        f"{PREFIX}basic-elicitation",
        "ends with a cut",
        to(CALL, lambda _: Odd(cut=True), turn=1),
        {ELICITED: FAILS, COMPLETED: ABSENT},
    ),
    (f"{PREFIX}basic-elicitation", "ends on a stream", to(CALL, lambda asked: events(result(asked, DONE)), turn=1), {}),
    (
        f"{PREFIX}basic-elicitation",
        "ends on a stream without the response",
        to(CALL, lambda _: events(), turn=1),
        {ELICITED: FAILS, COMPLETED: ABSENT},
    ),
    (
        f"{PREFIX}basic-sampling",
        "asks for roots first",
        asking(a=ROOTS, b=SAMPLE),
        {"sep-2322-sampling-incomplete": FAILS, "sep-2322-sampling-complete": ABSENT},
    ),
    (
        f"{PREFIX}basic-sampling",
        "asks for nothing",
        asking(),
        {"sep-2322-sampling-incomplete": FAILS, "sep-2322-sampling-complete": ABSENT},
    ),
    (f"{PREFIX}basic-sampling", "ends without content", ending({"resultType": "complete"}), {}),
    (f"{PREFIX}basic-sampling", "ends with null", ending(None), {"sep-2322-sampling-complete": FAILS}),
    (f"{PREFIX}basic-list-roots", "refuses the answer", refusing(turn=1), {"sep-2322-list-roots-complete": FAILS}),
    (
        f"{PREFIX}request-state",
        "gives a number",
        asking(confirm=ELICIT, state=5),
        {"sep-2322-request-state-incomplete": FAILS, "sep-2322-request-state-complete": ABSENT},
    ),
    (
        f"{PREFIX}request-state",
        "gives an empty text",
        asking(confirm=ELICIT, state=""),
        {"sep-2322-request-state-incomplete": FAILS, "sep-2322-request-state-complete": ABSENT},
    ),
    (
        f"{PREFIX}multiple-input-requests",
        "asks for two",
        asking(a=ELICIT, b=SAMPLE, state="s"),
        {"sep-2322-multiple-inputs-incomplete": FAILS, "sep-2322-multiple-inputs-complete": ABSENT},
    ),
    (
        f"{PREFIX}multiple-input-requests",
        "asks the user three times",
        asking(a=ELICIT, b=ELICIT, c=ELICIT, state="s"),
        {"sep-2322-multiple-inputs-incomplete": FAILS, "sep-2322-multiple-inputs-complete": ABSENT},
    ),
    (
        f"{PREFIX}multiple-input-requests",
        "gives no state",
        asking(a=ELICIT, b=SAMPLE, c=ROOTS),
        {"sep-2322-multiple-inputs-incomplete": FAILS, "sep-2322-multiple-inputs-complete": ABSENT},
    ),
    (
        f"{PREFIX}multi-round",
        "ends after one round",
        ending(DONE),
        {"sep-2322-multi-round-r2": FAILS, "sep-2322-multi-round-r3": ABSENT},
    ),
    (
        f"{PREFIX}multi-round",
        "asks a third time",
        asking(turn=2, step3=ELICIT, state="s"),
        {"sep-2322-multi-round-r3": FAILS},
    ),
    (
        f"{PREFIX}multi-round",
        "breaks down in the third round",
        html(turn=2),
        {"sep-2322-multi-round-r1": FAILS, "sep-2322-multi-round-r3": ABSENT},
    ),
    (
        f"{PREFIX}non-tool-request",
        "has no messages",
        ending({"resultType": "complete"}, method=GET),
        {"sep-2322-non-tool-complete": FAILS},
    ),
    (
        f"{PREFIX}non-tool-request",
        "has an empty list of messages",
        ending({"resultType": "complete", "messages": []}, method=GET),
        {},
    ),
    (
        f"{PREFIX}non-tool-request",
        "asks without requests",
        ending({"resultType": "input_required", "requestState": "s"}, turn=0, method=GET),
        {"sep-2322-non-tool-incomplete": FAILS, "sep-2322-non-tool-complete": ABSENT},
    ),
    (f"{PREFIX}result-type", "answers without JSON", html(turn=0), {"sep-2322-result-type-included": FAILS}),
    (f"{PREFIX}unsupported-methods", "lists nothing, by an error", refusing(turn=0, method="tools/list"), {}),
    (
        f"{PREFIX}unsupported-methods",
        "lists without JSON",
        html(turn=0, method="tools/list"),
        {"sep-2322-not-on-unsupported-requests": FAILS, "x-input-required-on-supported-requests-only": ABSENT},
    ),
    (
        f"{PREFIX}unsupported-methods",
        "completes by asking",
        asking(method="completion/complete", a=ELICIT),
        {"x-input-required-on-supported-requests-only": FAILS},
    ),
    (f"{PREFIX}unsupported-methods", "completes without JSON", html(turn=0, method="completion/complete"), {}),
    (
        f"{PREFIX}tampered-state",
        "gives no state",
        asking(confirm=ELICIT),
        {"sep-2322-reject-tampered-state": FAILS, "x-accepts-untampered-state": ABSENT},
    ),
    (
        f"{PREFIX}tampered-state",
        "asks again instead of refusing",
        asking(turn=1, confirm=ELICIT, state="s"),
        {"sep-2322-reject-tampered-state": FAILS},
    ),
    (
        f"{PREFIX}tampered-state",
        "refuses with an error that has no code",
        to(
            CALL, lambda asked: reply({"jsonrpc": "2.0", "id": asked.message["id"], "error": {"message": "no"}}), turn=1
        ),
        {},
    ),
    (
        f"{PREFIX}tampered-state",
        "breaks down at the altered state",
        html(turn=1),
        {"sep-2322-reject-tampered-state": FAILS, "x-accepts-untampered-state": ABSENT},
    ),
    (f"{PREFIX}tampered-state", "breaks down at the right state", html(turn=3), {"x-accepts-untampered-state": FAILS}),
    (
        f"{PREFIX}capability-check",
        "asks for nothing",
        asking(),
        {"sep-2322-respect-client-capabilities": FAILS, "x-input-requests-within-capabilities": ABSENT},
    ),
    (
        f"{PREFIX}capability-check",
        "asks for null",
        asking(a=None),
        {"sep-2322-respect-client-capabilities": FAILS, "x-input-requests-within-capabilities": FAILS},
    ),
    (
        f"{PREFIX}capability-check",
        "asks for roots too",
        asking(a=SAMPLE, b=ROOTS),
        {"x-input-requests-within-capabilities": FAILS},
    ),
    (
        f"{PREFIX}capability-check",
        "refuses",
        to(CALL, lambda asked: reply(error(asked, -32021, {"requiredCapabilities": {"elicitation": {}}}), status=400)),
        {"sep-2322-respect-client-capabilities": FAILS, "x-input-requests-within-capabilities": ABSENT},
    ),
    (
        f"{PREFIX}missing-input-response",
        "asks for something else",
        asking(other=SAMPLE),
        {"x-missing-response-is-requested-again": WARNS},
    ),
    (
        f"{PREFIX}missing-input-response",
        "answers without JSON",
        html(turn=0),
        {"sep-2322-missing-response-rerequests": WARNS, "x-missing-response-is-requested-again": ABSENT},
    ),
    (
        f"{PREFIX}ignore-extra-params",
        "answers without JSON",
        html(turn=0),
        {"sep-2322-ignore-unexpected-params": WARNS},
    ),
    (
        f"{PREFIX}ignore-extra-params",
        "answers with null",
        ending(None, turn=0),
        {"sep-2322-ignore-unexpected-params": WARNS},
    ),
    (f"{PREFIX}validate-input", "refuses by JSON that is no response", junk(turn=0), {}),
    (
        f"{PREFIX}validate-input",
        "refuses by null as id",
        to(CALL, lambda asked: reply(error(asked, -32600, id=None), status=400)),
        {},
    ),
    (f"{PREFIX}validate-input", "takes a number", ending(DONE, turn=0), {"sep-2322-validate-input-responses": WARNS}),
    (
        f"{PREFIX}validate-input",
        "asks when there are no answers",
        asking(turn=1, user_name=ELICIT),
        {"x-malformed-responses-are-an-error": WARNS},
    ),
    (
        f"{PREFIX}validate-input",
        "breaks down at null",
        html(turn=1),
        {
            "sep-2322-validate-input-responses": WARNS,
            "sep-2322-error-on-protocol-error": ABSENT,
            "x-malformed-responses-are-an-error": ABSENT,
        },
    ),
]


@pytest.mark.parametrize(("scenario", "fact", "oddity", "unlike"), ODD, ids=[f"{each[0]}: {each[1]}" for each in ODD])
def test_an_odd_server_is_seen(scenario: str, fact: str, oddity: Oddity, unlike: dict[str, str]) -> None:
    assert unlike_the_reference(scenario, oddity) == unlike


def test_the_state_goes_back_as_it_came_and_only_if_it_came() -> None:
    seen: list[JsonObject] = []

    def watch(asked: Asked) -> None:
        seen.append(asked.params)

    outcome(f"{PREFIX}basic-elicitation", watch)
    outcome(f"{PREFIX}request-state", watch)
    assert ["requestState" in params for params in seen] == [False, False, False, True]


def test_a_retry_has_another_id_and_the_answers() -> None:
    seen: list[Asked] = []

    def watch(asked: Asked) -> None:
        seen.append(asked)

    outcome(f"{PREFIX}multiple-input-requests", watch)
    assert seen[0].message["id"] != seen[1].message["id"]
    answers = as_object(seen[1].params["inputResponses"])
    assert sorted(map(str, answers)) == ["client_roots", "greeting", "user_name"]
