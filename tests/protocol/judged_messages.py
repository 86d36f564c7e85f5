"""Messages and what is to be said of them, rule by rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from pytest_mcp_conformance.model import Revision

R03, R06, R11, R07 = EVERY = tuple(Revision)


class Judged(NamedTuple):
    """A message, at which revisions, as the answer to which method, and the violations that are to be found."""

    what: str
    revisions: tuple[Revision, ...]
    message: Any
    request_method: str | None = None
    violations: tuple[str, ...] = ()  # {error}, {result}: the envelope of the revision


def message(**members: Any) -> Any:
    """Return a message with its version."""
    return {"jsonrpc": "2.0", **members}


def answer(result: Any, **members: Any) -> Any:
    """Return a response."""
    return message(id=1, result=result, **members)


def refusal(code: Any, **members: Any) -> Any:
    """Return an error response; `members` are those of the error."""
    return message(id=1, error={"code": code, "message": "no", **members})


META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
INITIALIZE = {"protocolVersion": "x", "capabilities": {}, "clientInfo": {"name": "n", "version": "1"}}
TASK = {"taskId": "t", "status": "working", "createdAt": "x", "lastUpdatedAt": "x", "ttl": None}
LISTING = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
ASKING = {"resultType": "input_required", "inputRequests": {"q": {"method": "roots/list"}}}

# fmt: off
VALID = [
    # requests and notifications
    Judged("a request", (R03, R06, R11), message(id=1, method="initialize", params=INITIALIZE), None),
    Judged("a request", (R07,), message(id="a", method="tools/list", params={"_meta": META}), None),
    Judged("a whole float is an integer", (R03, R06, R11), message(id=1.0, method="ping"), None),
    Judged("an unknown request", EVERY, message(id=1, method="x/y", params={"any": [None]}), None),
    Judged("an unknown notification", EVERY, message(method="notifications/x"), None),
    Judged("a method of an extension", (R07,), message(id=1, method="tasks/get", params={"taskId": 5}), None),
    Judged("initialize is of no type", (R07,), message(id=1, method="initialize", params={}), None),
    Judged("elicitation is of no type", (R03,), message(id=1, method="elicitation/create", params={}), None),
    Judged("unknown members", EVERY, message(id=1, method="x", extra=None), None),
    Judged("an id does not make a request", EVERY, message(id=None, method="notifications/tools/list_changed"), None),
    Judged("a type without envelope", (R03, R06), {"method": "ping"}, None),
    Judged("a type without envelope", (R07,), {"method": "roots/list"}, None),
    Judged("what has a method is no response", EVERY, message(id=1, method="x", result=5, error=5), None),
    # errors
    Judged("an error", EVERY, refusal(-32601), None),
    Judged("an error without id", (R11, R07), message(error={"code": 1, "message": "no"}), None),
    Judged("an error comes before a result", EVERY, {**refusal(1), "result": 5}, "tools/list"),
    Judged("a URL elicitation error", (R11,), refusal(-32042, data={"elicitations": []}), None),
    Judged("a URL elicitation error before it was typed", (R03, R06), refusal(-32042), None),
    Judged("a URL elicitation error after it was typed", (R07,), refusal(-32042), None),
    Judged("a missing capability", (R07,), refusal(-32021, data={"requiredCapabilities": {}}), None),
    Judged("an unsupported version", (R07,), refusal(-32022, data={"supported": [], "requested": "x"}), None),
    Judged("a header mismatch", (R07,), refusal(-32020), None),
    Judged("a missing capability before it was typed", (R03, R06, R11), refusal(-32021), None),
    # results
    Judged("a result of no known request", (R03, R06, R11), answer({"tools": 5}), None),
    Judged("a result of no known request", (R07,), answer({"tools": 5, "resultType": "complete"}), None),
    Judged("a result of an unknown method", (R03, R06, R11), answer({"tools": 5}), "x/y"),
    Judged("a result of a notification", (R03, R06, R11), answer({"tools": 5}), "notifications/cancelled"),
    Judged("an empty result", (R03, R06, R11), answer({}), "ping"),
    Judged("a typed result", (R03, R06, R11), answer({"tools": []}), "tools/list"),
    Judged("a typed result", (R07,), answer({"tools": [], **LISTING}), "tools/list"),
    Judged("error null is no error", (R03, R06, R11), answer({}, error=None), "ping"),
    Judged("input required, of a method that cannot", (R07,), answer(ASKING), "tools/list"),
    Judged("input required, of no known request", (R07,), answer(ASKING), None),
    Judged("a task instead of a result", (R07,), answer({"resultType": "task", "task": 5}), "tools/call"),
    Judged("a type of one's own means nothing before 2026-07-28", (R03, R06, R11), answer({"tools": [], "resultType": "later"}),
     "tools/list"),
    Judged("tasks have results", (R11,), answer(TASK), "tasks/get"),
    Judged("any payload", (R11,), answer({"content": 5}), "tasks/result"),
    Judged("elicitation has a result from 2025-06-18 on", (R03,), answer({}), "elicitation/create"),
    # arrays
    Judged("an empty array", (R03,), [], None),
    Judged("an array of requests and notifications", (R03,), [message(id=1, method="ping"), message(method="x")], None),
    Judged("an array of responses", (R03,), [answer({"tools": []}), refusal(1)], "tools/list"),
    # formats
    Judged("a scheme of one's own", (R03,), message(id=1, method="resources/read", params={"uri": "test:x"}), None),
    Judged("Base64 is not looked at", (R03,), answer({"contents": [{"uri": "a:b", "blob": "*"}]}), "resources/read"),
]

INVALID = [
    # requests and notifications
    Judged("id null", EVERY, message(id=None, method="x"), None,
     ("JSONRPCRequest /id: expected a string or an integer, got null",)),
    Judged("id true", EVERY, message(id=True, method="x"), None,
     ("JSONRPCRequest /id: expected a string or an integer, got true",)),
    Judged("id with a fraction", (R11,), message(id=1.5, method="ping"), None,
     ("PingRequest /id: expected a string or an integer, got 1.5",)),
    Judged("a request of known type without id", (R11,), message(method="ping"), None, ('PingRequest: lacks the member "id"',)),
    Judged("another jsonrpc", EVERY, {"jsonrpc": "1.0", "method": "x"}, None,
     ('JSONRPCNotification /jsonrpc: expected "2.0", got "1.0"',)),
    Judged("no jsonrpc", EVERY, {"method": "x"}, None, ('JSONRPCNotification: lacks the member "jsonrpc"',)),
    Judged("params as an array", EVERY, message(method="x", params=[1]), None,
     ("JSONRPCNotification /params: expected an object, got an array",)),
    Judged("no _meta", (R07,), message(id=1, method="tools/list", params={}), None,
     ('ListToolsRequest /params: lacks the member "_meta"',)),
    Judged("a level that is none", (R03,), message(id=1, method="logging/setLevel", params={"level": "loud"}), None,
     (('SetLevelRequest /params/level: expected one of "alert", "critical", "debug", "emergency", "error", "info", "notice", '
      '"warning", got "loud"'),)),
    Judged("no URI", (R11,), message(id=1, method="resources/read", params={"uri": "/a"}), None,
     ('ReadResourceRequest /params/uri: expected an absolute URI, got "/a"',)),
    Judged("a method of no string, and nothing else", EVERY, message(id=1, method=5), None,
     ("no JSON-RPC message: an object without a method, a result or an error",)),
    # errors
    Judged("an error of text", EVERY, message(id=1, error="no"), None, (
        '{error} /error: expected an object, got "no"',)),
    Judged("an error false", EVERY, message(id=1, error=False), None, (
        "{error} /error: expected an object, got false",)),
    Judged("an error without id", (R03, R06), message(error={"code": 1, "message": "no"}), None,
     ('{error}: lacks the member "id"',)),
    Judged("an error with id null", EVERY, {**refusal(1), "id": None}, None,
     ("{error} /id: expected a string or an integer, got null",)),
    Judged("a code of text", EVERY, refusal("-32601"), None, (
        '{error} /error/code: expected an integer, got "-32601"',)),
    Judged("a code true", EVERY, refusal(code=True), None, ("{error} /error/code: expected an integer, got true",)),
    Judged("a code that is typed, without its data", (R11,), refusal(-32042), None,
     ('URLElicitationRequiredError /error: lacks the member "data"',)),
    Judged("capabilities as an array", (R07,), refusal(-32021, data={"requiredCapabilities": []}), None,
     ("MissingRequiredClientCapabilityError /error/data/requiredCapabilities: expected an object, got an array",)),
    Judged("a typed code as a float", (R07,), refusal(-32022.0, data={"supported": []}), None,
     ('UnsupportedProtocolVersionError /error/data: lacks the member "requested"',)),
    # results
    Judged("a result null", (R03, R06, R11), answer(None), None, ("{result} /result: expected an object, got null",)),
    Judged("an empty result", (R07,), answer({}), None, ('{result} /result: lacks the member "resultType"',)),
    Judged("a result null of a known request", (R03,), answer(None), "tools/list",
     ('ListToolsResult /result: expected an object, got null (result of "tools/list")',)),
    Judged("only the typed result is reported", (R03,), {"result": {"tools": 5}}, "tools/list",
     ('ListToolsResult /result/tools: expected an array, got 5 (result of "tools/list")',)),
    Judged("the envelope is reported where the result is right", (R03,), {"result": {"tools": []}}, "tools/list",
     ('JSONRPCResponse: lacks the member "jsonrpc"', 'JSONRPCResponse: lacks the member "id"')),
    Judged("a task of a call", (R11,), answer({"task": TASK}), "tools/call",
     ('CallToolResult /result: lacks the member "content" (result of "tools/call")',)),
    Judged("elicitation has a result from 2025-06-18 on", (R06, R11), answer({}), "elicitation/create",
     ('ElicitResult /result: lacks the member "action" (result of "elicitation/create")',)),
    Judged("input required, as it is written wrong", (R07,),
     answer({"resultType": "input_required", "requestState": 5}), "tools/call",
     ('InputRequiredResult /result/requestState: expected a string, got 5 (result of "tools/call")',)),
    Judged("input required, of no known request", (R07,), answer({"resultType": "input_required", "requestState": 5}), None,
     ("InputRequiredResult /result/requestState: expected a string, got 5",)),
    Judged("input required means nothing before 2026-07-28", (R11,), answer({"resultType": "input_required"}), "tools/list",
     ('ListToolsResult /result: lacks the member "tools" (result of "tools/list")',)),
    Judged("a resultType of one's own", (R11,), answer({"resultType": "later"}), "tools/list",
     (('ListToolsResult /result: lacks the member "tools" (result of "tools/list"); '
      'resultType "later" is none of complete, input_required, task'),)),
    Judged("a task means nothing before 2026-07-28", (R03, R06, R11), answer({"tools": 5, "resultType": "task"}), "tools/list",
     ('ListToolsResult /result/tools: expected an array, got 5 (result of "tools/list")',)),
    Judged("a resultType that nothing defines", (R07,), answer({"tools": [], **LISTING, "resultType": "later"}), "tools/list",
     ('{result} /result/resultType: expected one of complete, input_required, task, got "later"',)),
    Judged("a resultType that nothing defines, of no known request", (R07,), answer({"resultType": "later"}), None,
     ('{result} /result/resultType: expected one of complete, input_required, task, got "later"',)),
    Judged("a resultType that nothing defines, and no members", (R07,), answer({"resultType": "\x1b"}), "roots/list",
     ('{result} /result/resultType: expected one of complete, input_required, task, got "\\u001b"',
      'ListRootsResult /result: lacks the member "roots" (result of "roots/list")')),
    Judged("a task has an envelope", (R07,), {"result": {"resultType": "task"}, "id": 1}, "tools/call",
     ('JSONRPCResultResponse: lacks the member "jsonrpc"',)),
    Judged("more than a hundred completions", (R07,),
     answer({"resultType": "complete", "completion": {"values": ["x"] * 101}}), "completion/complete",
     (("CompleteResult /result/completion/values: expected at most 100 elements, got 101 "
      '(result of "completion/complete")'),)),
    Judged("a priority above one", (R03,),
     answer({"resources": [{"name": "n", "uri": "a:b", "annotations": {"priority": 1.5}}]}), "resources/list",
     (('ListResourcesResult /result/resources/0/annotations/priority: expected at most 1, got 1.5 '
       '(result of "resources/list")'),)),
    # alternatives
    Judged("a content whose type is known", (R11,), answer({"content": [{"type": "image", "data": ""}]}), "tools/call",
     ('CallToolResult /result/content/0: lacks the member "mimeType" (result of "tools/call")',)),
    Judged("a content without type", (R11,), answer({"content": [{"text": ""}]}), "tools/call",
     ('CallToolResult /result/content/0: lacks the member "type" (result of "tools/call")',)),
    Judged("a content of unknown type", (R11,), answer({"content": [{"type": "video"}]}), "tools/call",
     (('CallToolResult /result/content/0: fits none of 5 alternatives, got an object of type "video" '
      '(result of "tools/call")'),)),
    Judged("a content that is no object", (R11,), answer({"content": ["hi"]}), "tools/call",
     ('CallToolResult /result/content/0: expected an object, got "hi" (result of "tools/call")',)),
    Judged("a value of no type that is admitted", (R07,),
     message(id=1, method="tools/list", params={"_meta": META | {
         "io.modelcontextprotocol/clientCapabilities": {"experimental": {"x": {"y": [1, None]}}}}}), None,
     (("ListToolsRequest /params/_meta/io.modelcontextprotocol~1clientCapabilities/experimental/x/y/1: "
      "expected an object or an array or a string or a boolean or an integer, got null"),)),
    # no messages
    Judged("an empty object", EVERY, {}, None,
     ("no JSON-RPC message: an object without a method, a result or an error",)),
    Judged("error null alone", EVERY, {"error": None}, None,
     ("no JSON-RPC message: an object without a method, a result or an error",)),
    Judged("null", EVERY, None, None, ("no JSON-RPC message: null without a method, a result or an error",)),
    Judged("a text", EVERY, "hi", None, ('no JSON-RPC message: "hi" without a method, a result or an error',)),
    # arrays
    Judged("an empty array", (R06, R11, R07), [], None, ("JSONRPCMessage: an array, and {revision} has no batches",)),
    Judged("an array of messages", (R06, R11, R07), [message(id=1, method="x")], None,
     ("JSONRPCMessage: an array, and {revision} has no batches",)),
    Judged("requests among responses", (R03,), [message(id=1, method="ping"), answer({})], None,
     ("JSONRPCMessage: neither an array of requests and notifications nor one of responses",)),
    Judged("a typed request without envelope", (R03,), [{"method": "ping"}], None,
     ("JSONRPCMessage: neither an array of requests and notifications nor one of responses",)),
    Judged("only the elements are reported", (R06,), [message(id=1, method="x"), message(id=None, method="x")], None,
     ("[1] JSONRPCRequest /id: expected a string or an integer, got null",)),
    Judged("every element has the request's method", (R03,), [answer({}), answer({"tools": []})], "tools/list",
     ('[0] ListToolsResult /result: lacks the member "tools" (result of "tools/list")',)),
    Judged("an array in an array", EVERY, [[]], None,
     ("[0] no JSON-RPC message: an array without a method, a result or an error",)),
    Judged("a scalar in an array", (R03,), [5], None,
     ("[0] no JSON-RPC message: 5 without a method, a result or an error",)),
]
# fmt: on
