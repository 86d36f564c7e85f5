"""Spoiled answers of 2026-07-28: metadata, versions, removed methods, header errors, input rounds."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.protocol.json_rpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.spoiled.spoiling import Named, Spoiled, Step

PLAIN_ARGUMENTS: JsonObject = {"region": {"type": "string"}}
FORM_REQUEST: JsonObject = {
    "method": "elicitation/create",
    "params": {"message": "Which tools?", "requestedSchema": {"type": "object", "properties": {}}},
}
MIRRORED_TOOL: tuple[Step, ...] = ("result", "tools", Named(name="execute"), "inputSchema", "properties")


def _gone(method: str) -> tuple[Spoiled, ...]:
    """Refuse a removed method with the wrong status."""
    return (Spoiled(method=method, code=METHOD_NOT_FOUND, status=200),)


SPOILED: Mapping[Fault, tuple[Spoiled, ...]] = {
    Fault.ERROR_ID_OTHER: (Spoiled(method="server/discover", has="error", at=("id",), to=0),),
    Fault.DISCOVER_WITHOUT_VERSIONS: (
        Spoiled(method="server/discover", at=("result", "supportedVersions"), removed=True),
    ),
    Fault.DISCOVER_ANONYMOUS: (Spoiled(method="server/discover", at=("result", "_meta"), removed=True),),
    Fault.PROMPTS_UNDECLARED: (
        Spoiled(method="server/discover", at=("result", "capabilities", "prompts"), removed=True),
    ),
    Fault.UNSUPPORTED_VERSION_UNNAMED: (
        Spoiled(code=UNSUPPORTED_VERSION, at=("error", "data", "requested"), removed=True),
    ),
    Fault.UNSUPPORTED_VERSION_OTHER_CODE: (Spoiled(code=UNSUPPORTED_VERSION, at=("error", "code"), to=INVALID_PARAMS),),
    Fault.UNSUPPORTED_VERSION_WITH_200: (Spoiled(code=UNSUPPORTED_VERSION, status=200),),
    Fault.CAPABILITY_AS_NULL: (
        Spoiled(code=MISSING_CAPABILITY, at=("error", "data", "requiredCapabilities", "sampling"), to=None),
    ),
    Fault.CAPABILITY_WITH_200: (Spoiled(code=MISSING_CAPABILITY, status=200),),
    Fault.INITIALIZE_GONE_WITH_200: _gone("initialize"),
    Fault.PING_GONE_WITH_200: _gone("ping"),
    Fault.SET_LEVEL_GONE_WITH_200: _gone("logging/setLevel"),
    Fault.SUBSCRIBE_GONE_WITH_200: _gone("resources/subscribe"),
    Fault.UNSUBSCRIBE_GONE_WITH_200: _gone("resources/unsubscribe"),
    Fault.UNKNOWN_METHOD_WITHOUT_ID: (Spoiled(method="unknown/method", at=("id",), removed=True),),
    Fault.HEADER_MISMATCH_WITH_200: (Spoiled(code=HEADER_MISMATCH, status=200),),
    Fault.HEADER_MISMATCH_OTHER_CODE: (Spoiled(code=HEADER_MISMATCH, at=("error", "code"), to=INVALID_REQUEST),),
    Fault.MIRRORED_TOOL_PLAIN: (Spoiled(method="tools/list", at=MIRRORED_TOOL, to=PLAIN_ARGUMENTS),),
    Fault.MIRRORED_TOOL_WITHOUT_TEXT: (Spoiled(method="tools/list", at=(*MIRRORED_TOOL, "region"), removed=True),),
    Fault.INPUT_RESULT_TYPE_OMITTED: (
        Spoiled(method="tools/call", has="inputRequests", at=("result", "resultType"), removed=True),
    ),
    Fault.INPUT_ASKED_BY_LIST: (
        Spoiled(
            method="tools/list",
            at=("result",),
            to={"resultType": "input_required", "inputRequests": {"which": FORM_REQUEST}},
        ),
    ),
    Fault.INPUT_ASKED_BY_RESOURCES: (
        Spoiled(
            method="resources/list",
            at=("result",),
            to={"resultType": "input_required", "inputRequests": {"which": FORM_REQUEST}},
        ),
    ),
    Fault.INPUT_ASKED_FOR_NOTHING: (
        Spoiled(method="tools/call", has="inputRequests", at=("result", "inputRequests"), to={}),
    ),
    Fault.ROOTS_ASKED_UNDECLARED: (
        Spoiled(
            method="tools/call",
            name="test_input_required_result_capabilities",
            has="inputRequests",
            at=("result", "inputRequests", "roots_input"),
            to={"method": "roots/list"},
        ),
    ),
}
