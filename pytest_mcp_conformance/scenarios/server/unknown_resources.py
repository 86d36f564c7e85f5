"""Resources that do not exist: the error that says so.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, as_list, as_object
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.protocol.json_rpc import INVALID_PARAMS
from pytest_mcp_conformance.scenarios.declaration import server_scenario

UNKNOWN_URI = "test://nonexistent-resource-for-conformance-testing"
ERRORS = SpecRef(
    id="SEP-2164", url="https://modelcontextprotocol.io/specification/draft/server/resources#error-handling"
)

NO_EMPTY_CONTENTS = Requirement(
    id="sep-2164-no-empty-contents",
    name="ResourcesNotFoundNoEmptyContents",
    level=Level.MUST,
    text="Reading a resource that does not exist is not answered with empty contents.",
    spec=(ERRORS,),
)
ERROR_CODE = Requirement(
    id="sep-2164-error-code",
    name="ResourcesNotFoundErrorCode",
    level=Level.SHOULD,
    text=f"Reading a resource that does not exist is answered with the error {INVALID_PARAMS}.",
    spec=(ERRORS,),
)
DATA_URI = Requirement(
    id="sep-2164-data-uri",
    name="ResourcesNotFoundDataUri",
    level=Level.SHOULD,
    text="The error for a resource that does not exist names its URI in data.uri.",
    spec=(ERRORS,),
)


@server_scenario(
    name="sep-2164-resource-not-found",
    introduced_in="2026-07-28",
    purpose="Reading an unknown resource yields the error -32602 with the URI, never an empty result.",
    decides=(NO_EMPTY_CONTENTS, ERROR_CODE, DATA_URI),
    charged=ERROR_CODE,
    needs=Needs(other=(f"no resource {UNKNOWN_URI}, and no template that covers it",), capabilities=("resources",)),
)
async def resource_not_found(peer: Peer, checks: Checks) -> None:
    answer = await peer.ask("resources/read", {"uri": UNKNOWN_URI})
    contents = as_list(as_object(answer.result).get("contents"))
    asked: JsonObject = {"requestedUri": UNKNOWN_URI}
    received: JsonObject = {"receivedResult": answer.has_result}
    checks.decide(
        NO_EMPTY_CONTENTS,
        not answer.has_result or bool(contents),
        expected="an error, and no empty contents",
        got=answer.shown(),
        details=asked | received | ({"contentsLength": len(contents)} if answer.has_result else {}),
    )
    code: JsonObject = {} if answer.error is None else {"receivedErrorCode": answer.error.code}
    checks.decide_error(ERROR_CODE, answer, codes=(INVALID_PARAMS,), details=asked | code | received)
    if answer.error is None:
        checks.fail(DATA_URI, expected="an error with the URI in data.uri", got=answer.shown(), details=asked)
        return
    uri = as_object(answer.error.data).get("uri")
    checks.decide(
        DATA_URI,
        uri == UNKNOWN_URI,
        expected=f"the URI {UNKNOWN_URI} in data.uri of the error",
        got=answer.error.data,
        details=asked | {"receivedDataUri": uri},
    )
