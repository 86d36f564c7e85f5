"""What the client does with a server that keeps the rules: the reference server, and scripted ones."""

from __future__ import annotations

import asyncio

import pytest

from pytest_mcp_conformance.json_values import JsonObject, as_object, dumps
from pytest_mcp_conformance.mock_server import MockCall, MockPrompt, MockResource, MockTool, Script
from pytest_mcp_conformance.model import Leg, Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.client import run_client
from pytest_mcp_conformance.reference.server import running_server
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest, json_reply
from pytest_mcp_conformance.serving.refusals import Refusal
from pytest_mcp_conformance.targets.client_embedded import EmbeddedClient
from tests.reference.client.running import STATEFUL, STATELESS, environment, run

BOTH = pytest.mark.parametrize("revision", [STATEFUL, STATELESS], ids=str)
ALL = pytest.mark.parametrize("revision", list(Revision), ids=str)
ADD: JsonObject = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
RUNS = [
    (name, revision)
    for name, scenario in scenarios(Leg.CLIENT).items()
    for revision in ([each for each in Revision if scenario.applies_at(each)] or [scenario.implied_revision])
    if not name.startswith("auth/")
]


@pytest.mark.parametrize(("name", "revision"), RUNS, ids=str)
def test_the_client_passes_every_scenario(name: str, revision: Revision) -> None:
    run_of_it = run_client_scenario(scenarios(Leg.CLIENT)[name], revision, EmbeddedClient(), timeout=20)
    outcome = asyncio.run(run_of_it)
    assert outcome.ending == "passed", [(each.id, each.message) for each in outcome.checks]
    assert outcome.unreached == ()


@ALL
def test_the_client_uses_everything_that_the_reference_server_has(revision: Revision) -> None:
    with running_server(frozenset()) as url:
        code, said = asyncio.run(run_client(url, environment(revision)))
    assert code == 0, said


@ALL
def test_lists_are_read_to_their_end_and_all_in_them_is_used(revision: Revision) -> None:
    def listed(call: MockCall) -> JsonObject:
        if call.params.get("cursor") == "":
            return {"tools": [MockTool(name="second").definition()], "ttlMs": 0, "cacheScope": "private"}
        first = MockTool(name="first", input_schema=ADD).definition()
        return {"tools": [first], "nextCursor": "", "ttlMs": 0, "cacheScope": "private"}

    tools = [MockTool(name="first", input_schema=ADD, returns="1"), MockTool(name="second", returns="2")]
    script = Script(
        tools=tools,
        resources=[MockResource(uri="file:///a", contents="A")],
        prompts=[MockPrompt(name="p", arguments=("who",), returns="P")],
        answers={"tools/list": listed},
    )
    ended = run(script, revision)
    assert (ended.code, ended.server.violations) == (0, ())
    assert ended.called == [("first", {"a": 1}), ("second", {})]
    named = {each.method: each.params for each in ended.server.requests}
    assert named["resources/read"]["uri"] == "file:///a"
    assert named["prompts/get"]["arguments"] == {"who": "text"}


@BOTH
def test_what_is_not_declared_is_not_asked_for(revision: Revision) -> None:
    ended = run(Script(capabilities={}), revision)
    opening = ("initialize", "notifications/initialized") if revision is STATEFUL else ("server/discover",)
    assert (ended.code, ended.server.methods) == (0, opening)


@BOTH
def test_the_context_says_what_to_call(revision: Revision) -> None:
    wanted: JsonObject = {
        "toolCalls": [{"name": "b", "arguments": {"x": None}}, {"name": "b", "arguments": {}}, "junk"]
    }
    ended = run(Script(tools=[MockTool(name="a"), MockTool(name="b")]), revision, context=wanted)
    assert (ended.code, ended.called) == (0, [("b", {"x": None}), ("b", {})])


@BOTH
def test_a_refused_call_is_told_and_the_next_one_made(revision: Revision) -> None:
    refusal = Refusal(json_rpc.INVALID_PARAMS, "not today")
    ended = run(Script(tools=[MockTool(name="a", returns=refusal), MockTool(name="b")]), revision)
    assert (ended.code, [name for name, _ in ended.called]) == (0, ["a", "b"])
    assert ended.said == 'tools/call was refused: error -32602 "not today"\n'


# The stateful wire


def test_a_session_is_named_in_every_request_and_ended() -> None:
    ended = run(Script(tools=[MockTool(name="a")]), STATEFUL)
    first, *others = ended.server.http_requests
    assert (first.headers.get("mcp-session-id"), first.headers.get("mcp-protocol-version")) == (None, None)
    assert {each.headers.get("mcp-protocol-version") for each in others} == {"2025-11-25"}
    assert len({each.headers.get("mcp-session-id") for each in others}) == 1
    assert (others[-1].method, others[-1].body) == ("DELETE", b"")


def test_the_version_header_is_left_out_where_it_did_not_exist() -> None:
    ended = run(Script(revisions=(Revision.V2025_03_26,)), STATEFUL)
    assert ended.code == 0
    assert {each.headers.get("mcp-protocol-version") for each in ended.server.http_requests} == {None}


def test_a_session_that_is_gone_is_begun_anew() -> None:
    gone: list[str | None] = []

    def forget(http: HttpRequest) -> HttpReply | None:
        if b"tools/call" not in http.body or gone:
            return None
        gone.append(http.headers.get("mcp-session-id"))
        return HttpReply(status=404)

    ended = run(Script(tools=[MockTool(name="a")], intercept=forget), STATEFUL)
    assert (ended.code, ended.said, ended.called) == (0, "", [("a", {})] * 2)
    begun = [each for each in ended.server.requests if each.method == "initialize"]
    assert [each.headers.get("mcp-session-id") for each in begun] == [None, None]
    assert ended.headers("tools/call")["mcp-session-id"] != gone[0]


def test_a_server_that_forgets_every_session_ends_the_client() -> None:
    def forget(http: HttpRequest) -> HttpReply | None:
        return HttpReply(status=404) if b"tools/list" in http.body else None

    ended = run(Script(tools=[MockTool(name="a")], intercept=forget), STATEFUL)
    assert (ended.code, ended.said) == (1, "tools/list: the server forgets every session\n")


def test_requests_of_the_server_are_answered() -> None:
    answers: dict[str, JsonObject] = {}

    async def ask(call: MockCall) -> str:
        answers["roots"] = await call.ask("roots/list")
        message: JsonObject = {"role": "user", "content": {"type": "text", "text": "Hi"}}
        answers["sampled"] = await call.ask("sampling/createMessage", {"messages": [message], "maxTokens": 1})
        schema: JsonObject = {"type": "object", "properties": {"age": {"type": "integer", "default": 30}}}
        answers["form"] = await call.ask("elicitation/create", {"message": "?", "requestedSchema": schema})
        answers["ping"] = await call.ask("ping")
        return "asked"

    ended = run(Script(tools=[MockTool(name="a", returns=ask)]), STATEFUL)
    assert (ended.code, ended.server.violations) == (0, ())
    assert answers["form"] == {"action": "accept", "content": {"age": 30}}
    assert answers["ping"] == {}
    assert set(answers["roots"]) == {"roots"}
    assert answers["sampled"]["role"] == "assistant"


def test_the_client_listens_to_what_the_server_says_by_itself() -> None:
    """It comes back to that stream, too, with the id of the last event, which may have any characters."""
    asked = json_rpc.request("q", "ping", None)
    body = f"id: \u2603\nretry: 0\ndata: {dumps(asked)}\n\n".encode()
    streams = [HttpReply(status=200, headers={"content-type": "text/event-stream"}, body=body)]

    def stream(http: HttpRequest) -> HttpReply | None:
        if http.method != "GET":
            return None
        return streams.pop() if streams else HttpReply(status=405)

    ended = run(Script(tools=[MockTool(name="a")], intercept=stream), STATEFUL)
    gets = [each.headers.get("last-event-id") for each in ended.server.http_requests if each.method == "GET"]
    assert (ended.code, gets) == (0, [None, "\u2603".encode().decode("latin-1")])
    assert {"jsonrpc": "2.0", "id": "q", "result": {}} in [each.message for each in ended.server.requests]


def test_requests_that_cannot_be_answered_are_refused() -> None:
    codes = []

    async def ask(call: MockCall) -> str:
        url: JsonObject = {"mode": "url", "message": "?", "url": "https://example.com/", "elicitationId": "1"}
        for method, params in (("elicitation/create", url), ("tools/list", {})):
            try:
                await call.ask(method, params)
            except Exception as error:  # noqa: BLE001 -- the error is what is looked at
                codes.append(getattr(getattr(error, "error", None), "code", error))
        return "asked"

    assert run(Script(tools=[MockTool(name="a", returns=ask)]), STATEFUL).code == 0
    assert codes == [json_rpc.INVALID_PARAMS, json_rpc.METHOD_NOT_FOUND]


def test_a_version_that_the_client_does_not_speak_ends_it() -> None:
    answer: JsonObject = {
        "protocolVersion": "1999-12-31",
        "capabilities": {},
        "serverInfo": {"name": "x", "version": "1"},
    }
    ended = run(Script(answers={"initialize": answer}), STATEFUL)
    assert ended.code == 1
    assert ended.said.startswith('the server answers in version "1999-12-31"; this client speaks ')


# The stateless wire


def test_a_request_says_everything_about_itself() -> None:
    ended = run(Script(tools=[MockTool(name="größe")]), STATELESS)
    call = next(each for each in ended.server.requests if each.method == "tools/call")
    meta = as_object(call.params["_meta"])
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert set(as_object(meta["io.modelcontextprotocol/clientCapabilities"])) == {"roots", "sampling", "elicitation"}
    assert ended.headers("tools/call")["mcp-name"] == "=?base64?Z3LDtsOfZQ==?="
    assert {each.method for each in ended.server.http_requests} == {"POST"}


def test_headers_that_do_not_match_any_more_are_looked_up_and_sent_again() -> None:
    listed: list[str] = []

    def tools(_call: MockCall) -> JsonObject:
        header = "Old" if not listed else "New"
        listed.append(header)
        schema: JsonObject = {
            "type": "object",
            "properties": {"r": {"type": "string", "x-mcp-header": header}},
            "required": ["r"],
        }
        definition = MockTool(name="t", input_schema=schema).definition()
        return {"tools": [definition], "ttlMs": 0, "cacheScope": "private"}

    def called(call: MockCall) -> str:
        if call.headers.get("mcp-param-new") is None:
            raise Refusal(json_rpc.HEADER_MISMATCH, "Mcp-Param-New is missing", status=400)
        return "done"

    ended = run(Script(tools=[MockTool(name="t", returns=called)], answers={"tools/list": tools}), STATELESS)
    assert (ended.code, ended.said, listed) == (0, "", ["Old", "New"])
    assert "mcp-param-old" not in ended.headers("tools/call")


def test_no_common_version_ends_the_client() -> None:
    def refuse(http: HttpRequest) -> HttpReply | None:
        data: JsonObject = {"supported": ["2099-01-01"], "requested": "2026-07-28"}
        return json_reply(json_rpc.error(1, json_rpc.UNSUPPORTED_VERSION, "no", data), status=400)

    ended = run(Script(intercept=refuse), STATELESS)
    assert (ended.code, len(ended.server.http_requests)) == (1, 1)
    assert ended.said == 'the server speaks ["2099-01-01"]; this client speaks 2026-07-28 there\n'


@pytest.mark.parametrize("method", ["tools/call", "resources/read", "prompts/get"])
def test_input_is_given_in_as_many_rounds_as_it_is_asked_for(method: str) -> None:
    rounds: list[JsonObject] = []

    def answer(call: MockCall) -> JsonObject:
        rounds.append(
            {name: value for name, value in call.params.items() if name in ("inputResponses", "requestState")}
        )
        if len(rounds) == 1:
            return {"resultType": "input_required", "requestState": "opaque \u2603"}
        if len(rounds) == 2:
            return {"resultType": "input_required", "inputRequests": {"r": {"method": "roots/list"}}}
        complete: dict[str, JsonObject] = {
            "tools/call": {"content": []},
            "resources/read": {"contents": [], "ttlMs": 0, "cacheScope": "private"},
            "prompts/get": {"messages": []},
        }
        return complete[method]

    script = Script(
        tools=[MockTool(name="a")] if method == "tools/call" else [],
        resources=[MockResource(uri="file:///a")] if method == "resources/read" else [],
        prompts=[MockPrompt(name="a")] if method == "prompts/get" else [],
        answers={method: answer},
    )
    ended = run(script, STATELESS)
    assert (ended.code, ended.said, ended.server.violations) == (0, "", ())
    assert rounds[:2] == [{}, {"requestState": "opaque \u2603"}]
    assert [list(each) for each in rounds[2:]] == [["inputResponses"]]
    assert list(as_object(rounds[2]["inputResponses"])) == ["r"]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"resultType": "input_required"}, "tools/call requires input and does not say which\n"),
        ({"resultType": "input_required", "requestState": "s"}, "tools/call asked for input 10 times\n"),
        ({"resultType": "task"}, 'tools/call has a result of type "task", which this client does not know\n'),
        ({"resultType": "input_required", "inputRequests": {"a": {"method": "tools/list"}}}, "tools/call asks for {"),
        ({"resultType": "input_required", "inputRequests": {"a": 7}}, "tools/call asks for 7: "),
    ],
)
def test_a_result_that_leads_nowhere_ends_the_client(result: JsonObject, said: str) -> None:
    def answer(call: MockCall) -> HttpReply:
        return json_reply({"jsonrpc": "2.0", "id": call.id, "result": result})

    ended = run(Script(tools=[MockTool(name="a", returns=answer)]), STATELESS)
    assert ended.code == 1
    assert ended.said.startswith(said)
