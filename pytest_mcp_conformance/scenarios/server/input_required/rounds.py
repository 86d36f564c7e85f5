"""What the scenarios of this folder share: one call, the input that a client gives, and what a round is judged by."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_object, shown, truthy
from pytest_mcp_conformance.model import Level, Prompt, Requirement, SpecRef, Tool
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import Answer, Kind, kind_of
from pytest_mcp_conformance.protocol.media_types import EVENT_STREAM, media_type
from pytest_mcp_conformance.scenarios.server.stateless_probes import stateless

SEP = SpecRef(id="SEP-2322", url="https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr")
PAGE = "https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr"

ELICIT = "elicitation/create"
SAMPLE = "sampling/createMessage"
LIST_ROOTS = "roots/list"
INPUT_REQUIRED = "input_required"

ROOTS: JsonObject = {"roots": [{"uri": "file:///test/root", "name": "Test Root"}]}


def form(**content: JsonValue) -> JsonObject:
    """Return the answer of a user who filled in a form."""
    return {"action": "accept", "content": content}


def sampled(text: str) -> JsonObject:
    """Return the answer of a client's model."""
    return {
        "role": "assistant",
        "content": {"type": "text", "text": text},
        "model": "test-model",
        "stopReason": "endTurn",
    }


def published(id: str, name: str, text: str, level: Level = Level.MUST) -> Requirement:  # noqa: A002
    """Declare a requirement of the published suite; all of this family point to the same place."""
    return Requirement(id=f"sep-2322-{id}", name=name, level=level, text=text, spec=(SEP,))


def own(id: str, name: str, text: str, *, place: str, level: Level = Level.MUST) -> Requirement:  # noqa: A002
    """Declare a requirement that the published suite does not have; `place` is a heading of the page."""
    spec = (SpecRef(id="MCP-MRTR", url=f"{PAGE}#{place}"),)
    return Requirement(id=f"x-{id}", name=name, level=level, text=text, spec=spec, addition=True)


class Round:
    """One answer in an exchange of several: an error, a result that asks for input, or the final result."""

    def __init__(self, message: JsonObject) -> None:
        self.message = message

    @property
    def refused(self) -> bool:
        """Whether an error came."""
        return truthy(self.message.get("error"))

    @property
    def result(self) -> JsonObject:
        """The result; empty if there is none, or if it is no object."""
        return as_object(self.message.get("result"))

    @property
    def asks(self) -> bool:
        """Whether the result asks for input."""
        return not self.refused and self.result.get("resultType") == INPUT_REQUIRED

    @property
    def complete(self) -> bool:
        """Whether a final result came; that of a tool that failed is one."""
        return not self.refused and truthy(self.message.get("result")) and not self.asks

    @property
    def requests(self) -> JsonObject:
        """The requests for input by key."""
        return as_object(self.result.get("inputRequests"))

    @property
    def methods(self) -> list[JsonValue]:
        """The methods of the requests for input."""
        return [as_object(request).get("method") for request in self.requests.values()]

    @property
    def state(self) -> JsonValue:
        """The state to send back; null if there is none."""
        return self.result.get("requestState")

    def shown(self) -> Shown:
        """Return error or result as one line."""
        return shown(self.message.get("error") if self.refused else self.message.get("result"))

    def details(self) -> JsonObject:
        """Return the result as published details name it."""
        return {"result": self.message["result"]} if "result" in self.message else {}

    def first_answered(self, answer: JsonObject) -> JsonObject:
        """Return params that give `answer` to the first request, and the state back."""
        return self.answered(dict.fromkeys(list(self.requests)[:1], answer))

    def answered(self, answers: Mapping[str, JsonValue]) -> JsonObject:
        """Return params that give `answers`, and the state back."""
        # MUST echo the state if there is one, MUST NOT send one otherwise: 2026-07-28, basic/patterns/mrtr, client, item 2
        state: JsonObject = {"requestState": self.state} if truthy(self.state) else {}
        return {"inputResponses": dict(answers), **state}


async def call_tool(peer: Peer, name: str, params: JsonObject | None = None, *, malformed: bool = False) -> Round:
    """Call the tool `name` without arguments; `params` are what a retry adds.

    :raises Nonconforming: no message came.
    """
    return await ask(peer, "tools/call", {"name": name, "arguments": {}, **(params or {})}, malformed=malformed)


async def ask(peer: Peer, method: str, params: JsonObject, *, malformed: bool = False) -> Round:
    """Send a request of 2026-07-28, whatever the revision of the run: the pattern is new in it.

    :raises Nonconforming: no message came.
    """
    repeats = "requestState" in params or "inputResponses" in params  # what the server gave before
    return Round(_message(await stateless(peer).ask(method, params, malformed=malformed, from_peer=repeats)))


def _message(answer: Answer) -> JsonObject:
    """Return the message that came; JSON that is no response of any kind is one with neither result nor error."""
    last = answer.messages[-1] if answer.messages else None
    if answer.message is not None:
        return as_object(answer.message)
    if last is None or kind_of(last) is Kind.RESPONSE or media_type(answer.headers) == EVENT_STREAM:
        raise Nonconforming(f"{answer.method} brought no answer", "a JSON-RPC response", answer.shown())
    return as_object(last)


def decide_completed(checks: Checks, requirement: Requirement, last: Round) -> None:
    """Decide that the exchange ended with a final result."""
    checks.decide(requirement, last.complete, expected="a complete result", got=last.shown(), details=last.details())


def tool(name: str, returns: str) -> Tool:
    """Declare a needed tool without arguments."""
    return Tool(name=name, returns=returns)


ELICITING_TOOL = tool(
    "test_input_required_result_elicitation",
    f"without inputResponses.user_name an input_required result with one {ELICIT} under the key user_name (a form with the"
    " required string name); with it, in the first round too, a complete result with content; unknown keys are ignored,"
    " inputResponses that are no map of objects are not accepted",
)
PROMPT = Prompt(
    name="test_input_required_result_prompt",
    returns=f"without an answer an input_required result with one {ELICIT} (a form with the required string context);"
    " with it a complete result with messages",
)
