"""Whether one message is what the schema of a revision says it is.

A message is judged by the definition of its own type: a request or notification by its method, a result by the method of the
request it answers, an error by its code. What has no type of its own is judged by the envelope alone.
"""

from __future__ import annotations

from typing import NamedTuple

from pytest_mcp_conformance.json_values import MAX_DEPTH, JsonValue, as_object, is_number
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.json_extent import extent
from pytest_mcp_conformance.protocol.schema_definitions import MessageTypes, definitions, message_types
from pytest_mcp_conformance.protocol.schema_violations import Place, seen

VIOLATIONS_KEPT = 6  # of one message; of the others only the number
COMPLETE = "complete"
INPUT_REQUIRED = "input_required"
TASK = "task"  # of the tasks extension: what it answers with is no result of the method
RESULT_TYPES = f"{COMPLETE}, {INPUT_REQUIRED}, {TASK}"


def violations(message: JsonValue, *, revision: Revision, request_method: str | None = None) -> tuple[str, ...]:
    """Return what is wrong with `message` by the schema of `revision`, one text each.

    At most `VIOLATIONS_KEPT`, then how many more.

    :param request_method: of the request that `message` answers. Without it a result is judged by the envelope alone.

    Never raises, whatever the message, as long as it was read from JSON.
    """
    if extent(message).levels > MAX_DEPTH:
        return (f"nested too deeply to be judged: more than {MAX_DEPTH} levels",)
    rules = _Rules(revision, message_types(revision), request_method)
    judged = _judge_batch(message, rules) if isinstance(message, list) else _judge_single(message, rules)
    left_out = judged.number - len(judged.texts)
    if not left_out:
        return judged.texts
    return (*judged.texts, f"and {left_out} more" if judged.all_of_them else f"and at least {left_out} more")


class _Rules(NamedTuple):
    """By what a message is judged."""

    revision: Revision
    types: MessageTypes
    request_method: str | None


class _Judged(NamedTuple):
    """The first violations, and how many there are, or are at least."""

    texts: tuple[str, ...]
    number: int
    all_of_them: bool = True


_NOTHING_WRONG = _Judged((), 0)


def _judge_batch(batch: list[JsonValue], rules: _Rules) -> _Judged:
    """Judge a JSON array: each element as a message, and then whether the revision has such arrays."""
    texts: list[str] = []
    count = 0
    all_of_them = True
    for index, element in enumerate(batch):
        # An array inside an array is no message at any revision, whatever is in it.
        judged = _no_message(element) if isinstance(element, list) else _judge_single(element, rules)
        texts.extend(f"[{index}] {text}" for text in judged.texts[: VIOLATIONS_KEPT - len(texts)])
        count += judged.number
        all_of_them = all_of_them and judged.all_of_them
    # MAY send arrays of requests and notifications, or of responses: 2025-03-26, basic#batching. No other revision has them.
    if not count and not definitions(rules.revision).accepts(rules.types.any, batch):
        return _Judged((_no_batch(rules),), 1)
    return _Judged(tuple(texts), count, all_of_them)


def _judge_single(message: JsonValue, rules: _Rules) -> _Judged:
    types = rules.types
    if not isinstance(message, dict):
        return _no_message(message)
    method = message.get("method")
    if isinstance(method, str):
        envelope = types.request if "id" in message else types.notification
        return _judge_by(types.by_method.get(method, envelope), message, rules)
    if message.get("error") is not None:
        code = as_object(message["error"]).get("code")
        return _judge_by(types.by_error_code.get(code, types.error) if is_number(code) else types.error, message, rules)
    if "result" in message:
        judged = _judge_result(message["result"], rules)
        return judged if judged.number else _judge_by(types.result, message, rules)
    return _no_message(message)


def _judge_result(result: JsonValue, rules: _Rules) -> _Judged:
    """Judge a result by its own type, if it has one."""
    result_type = as_object(result).get("resultType")
    typed = rules.types.input_required is not None  # the revision has result types; before, a resultType means nothing
    if typed and result_type == TASK:
        return _NOTHING_WRONG
    unrecognized = isinstance(result_type, str) and result_type not in {COMPLETE, INPUT_REQUIRED, TASK}
    if result_type == INPUT_REQUIRED and typed:
        definition = rules.types.input_required
    else:
        definition = rules.types.result_of.get(rules.request_method or "")
    remark = "" if rules.request_method is None else f" (result of {seen(rules.request_method)})"
    if unrecognized and not typed:
        remark += f"; resultType {seen(result_type)} is none of {RESULT_TYPES}"
    judged = (
        _NOTHING_WRONG if definition is None else _judge_by(definition, result, rules, place=("result",), remark=remark)
    )
    if not (unrecognized and typed):
        return judged
    # MUST be considered invalid: 2026-07-28, basic#resulttype
    own = f"{rules.types.result} /result/resultType: expected one of {RESULT_TYPES}, got {seen(result_type)}"
    return _Judged((own, *judged.texts)[:VIOLATIONS_KEPT], judged.number + 1, judged.all_of_them)


def _judge_by(definition: str, value: JsonValue, rules: _Rules, *, place: Place = (), remark: str = "") -> _Judged:
    """Judge `value`, which is at `place` in the message, by `definition`."""
    found, all_of_them = definitions(rules.revision).judge(definition, value)
    texts = (f"{definition}{violation.within(place)}{remark}" for violation in found[:VIOLATIONS_KEPT])
    return _Judged(tuple(texts), len(found), all_of_them)


def _no_message(message: JsonValue) -> _Judged:
    return _Judged((f"no JSON-RPC message: {seen(message)} without a method, a result or an error",), 1)


def _no_batch(rules: _Rules) -> str:
    if not definitions(rules.revision).accepts(rules.types.any, []):
        return f"{rules.types.any}: an array, and {rules.revision} has no batches"
    return f"{rules.types.any}: neither an array of requests and notifications nor one of responses"
