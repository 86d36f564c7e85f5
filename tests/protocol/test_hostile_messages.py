"""Whatever a peer sends is judged: nothing raises, nothing is written out whole, nothing takes long."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

from pytest_mcp_conformance.json_values import MAX_DEPTH, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.schema_definitions import (
    ELEMENTS_SEARCHED,
    VALUES_SEARCHED,
    definitions,
    message_types,
)
from pytest_mcp_conformance.protocol.wire_schema import violations
from tests.protocol.judged_messages import META, answer, message, refusal

NEWEST = Revision.V2026_07_28
ADMITTED = "expected an object or an array or a string or a boolean or an integer"
HIGH, LOW = "\ud800", "\udfff"  # surrogates, each alone
of_every_revision = pytest.mark.parametrize("revision", list(Revision), ids=str)


def nested(levels: int, innermost: Any, *, in_objects: bool) -> Any:
    value = innermost
    for _ in range(levels):
        value = {"a": value} if in_objects else [value]
    return value


ODD_VALUES: list[Any] = [
    "\ud800", "\x00\x1b[31m\u2028", "x" * 10**6, 10**400, -(10**400), 10**4000, 1e308, float("inf"), float("-inf"),
    float("nan"), -0.0, [0] * 10**5, {str(number): None for number in range(10**5)}, nested(900, None, in_objects=True),
    nested(900, None, in_objects=False), {"\ud800": "\ud800"}, {"": {"": 5}}, {"x" * 10**5: None},
]  # fmt: skip


@of_every_revision
@pytest.mark.parametrize("odd", ODD_VALUES, ids=range(len(ODD_VALUES)))
def test_every_odd_value_is_judged_wherever_it_stands_and_written_short(revision: Revision, odd: Any) -> None:
    standing = [
        odd,
        [odd],
        message(id=odd, method="x"),
        message(id=1, method="x", params=odd),
        message(id=1, method=odd),
        {"jsonrpc": odd, "method": "x"},
        refusal(odd),
        message(id=1, error=odd),
        answer(odd),
        answer({"content": odd, "resultType": odd}),
        answer({"content": [odd, {"type": odd}, {"type": "text", "text": odd}], "_meta": odd}),
        message(id=1, method="resources/read", params={"uri": odd}),
        message(
            id=1, method="sampling/createMessage", params={"maxTokens": odd, "modelPreferences": {"speedPriority": odd}}
        ),
    ]
    for judged in standing:
        for text in violations(judged, revision=revision, request_method="tools/call"):
            assert text.isascii()
            assert text.isprintable()
            assert len(text) < 1200
    assert violations(odd, revision=revision) != ()


def called(content: Any, **members: Any) -> Any:
    """Return the response to a call of a tool."""
    return answer({"content": content, "resultType": "complete", **members})


@of_every_revision
def test_of_a_million_elements_the_first_are_searched(revision: Revision) -> None:
    found = violations(called([0] * 10**6), revision=revision, request_method="tools/call")
    assert found[0] == 'CallToolResult /result/content/0: expected an object, got 0 (result of "tools/call")'
    assert found[5] == 'CallToolResult /result/content/5: expected an object, got 0 (result of "tools/call")'
    assert found[6:] == (f"and at least {ELEMENTS_SEARCHED - 6} more",)


@of_every_revision
def test_what_is_wrong_behind_the_first_of_very_many_elements_is_refused_without_its_place(revision: Revision) -> None:
    texts = [{"type": "text", "text": ""}] * VALUES_SEARCHED
    assert violations(called(texts), revision=revision, request_method="tools/call") == ()
    assert violations(called([*texts, {}]), revision=revision, request_method="tools/call") == (
        (
            f"CallToolResult /result: does not fit, and is too large to be searched: more than {VALUES_SEARCHED} values "
            '(result of "tools/call")'
        ),
    )


def test_what_is_wrong_with_very_many_members_is_refused_without_its_place() -> None:
    tool = {"name": "n", "inputSchema": {"type": "object", "properties": dict.fromkeys(map(str, range(10**5)), 5)}}
    (text,) = violations(answer({"tools": [tool]}), revision=Revision.V2025_11_25, request_method="tools/list")
    assert text.startswith("ListToolsResult /result: does not fit, and is too large to be searched")


def test_the_number_of_elements_is_told_as_it_is_though_not_all_are_searched() -> None:
    values = ["x"] * VALUES_SEARCHED
    (text,) = violations(
        answer({"resultType": "complete", "completion": {"values": values}}),
        revision=NEWEST,
        request_method="completion/complete",
    )
    assert f"expected at most 100 elements, got {VALUES_SEARCHED}" in text


@of_every_revision
def test_alternatives_inside_alternatives_are_judged_in_numbers(revision: Revision) -> None:
    result = {"type": "tool_result", "toolUseId": "t", "content": [{}] * 10**5}
    params = {"maxTokens": 1, "messages": [{"role": "user", "content": [result]}]}
    (text, *_) = violations(message(id=1, method="sampling/createMessage", params=params), revision=revision)
    assert text.startswith("CreateMessageRequest /params")


@of_every_revision
def test_a_text_with_a_lone_surrogate_is_a_text_like_any_other(revision: Revision) -> None:
    odd = {HIGH: 1, LOW: LOW}
    texts = [{"type": "text", "text": HIGH, **odd}]
    assert violations(called(texts, **odd), revision=revision, request_method="tools/call") == ()
    assert violations(message(id=HIGH, method=f"x{LOW}"), revision=revision) == ()
    (text,) = violations(called([*texts, {**odd, "type": 5}]), revision=revision, request_method="tools/call")
    assert text.startswith("CallToolResult /result/content/1: fits none of ")


def test_members_that_differ_in_a_lone_surrogate_are_two() -> None:
    tool = {"name": "n", "inputSchema": {"type": "object", "properties": {HIGH: 5, LOW: {}, f"{HIGH}x": 6}}}
    found = violations(answer({"tools": [tool]}), revision=Revision.V2025_11_25, request_method="tools/list")
    assert len(found) == 2


@pytest.mark.parametrize("number", [float("inf"), float("-inf")])
def test_a_number_beyond_every_float_is_a_number(number: float) -> None:
    progress = message(method="notifications/progress", params={"progressToken": "p", "progress": number})
    assert violations(progress, revision=NEWEST) == ()
    priority = {"resources": [{"name": "n", "uri": "a:b", "annotations": {"priority": number}}]}
    (text,) = violations(answer(priority), revision=Revision.V2025_03_26, request_method="resources/list")
    assert "priority: expected at " in text


def test_texts_of_our_own_that_are_more_than_texts_are_read_as_texts() -> None:
    ours = message(method="notifications/message", params={"level": "info", "data": shown(HIGH), "logger": NEWEST})
    assert violations(ours, revision=NEWEST) == ()


def in_capabilities(value: Any) -> Any:
    """Return a request with `value` where only some kinds of JSON value are admitted, at any depth."""
    capabilities = {"experimental": {"x": value}}
    meta = META | {"io.modelcontextprotocol/clientCapabilities": capabilities}
    return message(id=1, method="tools/list", params={"_meta": meta})


ABOVE = 6  # levels around what stands in a capability


@pytest.mark.parametrize("levels", [20, 30, MAX_DEPTH - ABOVE])
@pytest.mark.parametrize(("in_objects", "step"), [(True, "a"), (False, "0")])
def test_a_definition_that_contains_itself_is_followed_as_deep_as_json_is_read(
    levels: int,
    in_objects: bool,  # noqa: FBT001
    step: str,
) -> None:
    fits, does_not = (
        in_capabilities({"deep": nested(levels, innermost, in_objects=in_objects)}) for innermost in (1, None)
    )
    assert violations(fits, revision=NEWEST) == ()
    (text,) = violations(does_not, revision=NEWEST)
    assert text.startswith(f"ListToolsRequest .../{step}/{step}")
    assert text.endswith(f"/{step}: {ADMITTED}, got null")
    assert len(text) < 200


@pytest.mark.parametrize("in_objects", [True, False])
def test_what_is_wrong_around_a_value_as_deep_as_json_is_read_is_told(in_objects: bool) -> None:  # noqa: FBT001
    deep = nested(MAX_DEPTH - 2, 1, in_objects=in_objects)
    assert violations({"method": "x", "params": {"a": deep}}, revision=NEWEST) == (
        'JSONRPCNotification: lacks the member "jsonrpc"',
    )
    (text,) = violations({"method": "x", "params": {"a": [deep]}}, revision=NEWEST)
    assert text.startswith("nested too deeply")


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 900, 100_000])
@pytest.mark.parametrize("in_objects", [True, False])
def test_what_is_nested_deeper_than_json_is_read_is_not_judged(levels: int, in_objects: bool) -> None:  # noqa: FBT001
    deep = nested(levels, 1, in_objects=in_objects)
    for judged in (deep, [deep], in_capabilities(deep), message(id=1, method="x", params={"a": deep}), answer(deep)):
        (text,) = violations(judged, revision=NEWEST)
        assert text == f"nested too deeply to be judged: more than {MAX_DEPTH} levels"


def test_names_in_a_pointer_are_escaped_and_cut() -> None:
    tool = {"name": "n", "inputSchema": {"type": "object", "properties": {"a/b~c\n\ud800" + "x" * 100: 5}}}
    (text,) = violations(answer({"tools": [tool]}), revision=Revision.V2025_11_25, request_method="tools/list")
    assert text.startswith("ListToolsResult /result/tools/0/inputSchema/properties/a~1b~0c\\n\\\\ud800xxx")
    assert text.endswith('xxx...: expected an object, got 5 (result of "tools/list")')


@pytest.mark.parametrize("name", ["0", "007", "+7", "9" * 30, "", "+", "\x00", "\x007", "a"])
def test_a_name_is_told_as_it_is_also_where_it_looks_like_an_index(name: str) -> None:
    named = {name: {name: 5}}
    tool = {"name": "n", "inputSchema": {"type": "object", "properties": {name: 5}}, **named}
    for result, pointer in (({"tools": [tool]}, f"tools/0/inputSchema/properties/{name}"), ({"tools": named}, "tools")):
        (text,) = violations(answer(result), revision=Revision.V2025_11_25, request_method="tools/list")
        assert text.startswith(f"ListToolsResult /result/{shown(pointer)[1:-1]}: expected ")
    asked = in_capabilities({"deep": {name: {name: [None]}}})
    (text,) = violations(asked, revision=NEWEST)
    assert f"/deep/{shown(name)[1:-1]}/{shown(name)[1:-1]}/0: " in text


def test_names_that_would_be_one_index_are_two() -> None:
    tool = {"name": "n", "inputSchema": {"type": "object", "properties": {"7": 5, "07": 6, "\x007": 7}}}
    found = violations(answer({"tools": [tool]}), revision=Revision.V2025_11_25, request_method="tools/list")
    assert len(found) == 3


def test_many_threads_may_ask_first() -> None:
    message_types.cache_clear()
    definitions.cache_clear()
    found: list[tuple[str, ...]] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait()
        found.append(violations(in_capabilities({"a": [None]}), revision=NEWEST))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_the_library_is_loaded_with_the_first_verdict() -> None:
    code = (
        "import sys; from pytest_mcp_conformance.model import Revision\n"
        "from pytest_mcp_conformance.protocol.schema_definitions import message_types\n"
        "from pytest_mcp_conformance.protocol.wire_schema import violations\n"
        "[message_types(revision) for revision in Revision]\n"
        "assert 'jsonschema_rs' not in sys.modules\n"
        "assert violations({'jsonrpc': '2.0', 'method': 'x'}, revision=Revision.V2026_07_28) == ()\n"
        "assert 'jsonschema_rs' in sys.modules\n"
        "sys.exit(bool({'jsonschema', 'referencing', 'httpx'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
