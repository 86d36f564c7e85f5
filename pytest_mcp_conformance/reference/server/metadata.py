"""What every request of 2026-07-28 says about itself: in `_meta`, and once more in its header fields.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
"""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.protocol.mirrored_values import NAMED_BY
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.mirrored_headers import decode_faultily
from pytest_mcp_conformance.reference.server.revisions import PROTOCOL_VERSION_HEADER, SUPPORTED
from pytest_mcp_conformance.serving.http import Headers
from pytest_mcp_conformance.serving.incoming import Request
from pytest_mcp_conformance.serving.mirrored_headers import annotated, decode, says, value_at
from pytest_mcp_conformance.serving.refusals import Refusal, header_mismatch, unsupported_version

PREFIX = "io.modelcontextprotocol/"
PROTOCOL_VERSION = f"{PREFIX}protocolVersion"
CLIENT_INFO = f"{PREFIX}clientInfo"
CLIENT_CAPABILITIES = f"{PREFIX}clientCapabilities"
LOG_LEVEL = f"{PREFIX}logLevel"
SERVER_INFO = f"{PREFIX}serverInfo"


def declared_version(body: JsonValue) -> JsonValue:
    """Return the version that a message says it is of, or null."""
    return as_object(as_object(as_object(body).get("params")).get("_meta")).get(PROTOCOL_VERSION)


def check_request(headers: Headers, request: Request, faults: frozenset[Fault]) -> None:
    """Refuse a request that does not say about itself what it must.

    :raises Refusal: header fields and body disagree, the version is not served, or `_meta` is incomplete.
    """
    _check_version(headers, request)
    _check_method(headers, request, faults)
    _check_name(headers, request, faults)
    _check_meta(request, faults)


def _check_version(headers: Headers, request: Request) -> None:
    header, body = headers.get(PROTOCOL_VERSION_HEADER), request.meta.get(PROTOCOL_VERSION)
    # MUST be there, MUST be the version of the body: 2026-07-28, basic/transports/streamable-http#protocol-version-header
    if header is None:
        raise header_mismatch(f"{PROTOCOL_VERSION_HEADER} is missing")
    if body is not None and header != body:
        raise header_mismatch(f"{PROTOCOL_VERSION_HEADER} is not the version that the body names")
    # MUST be refused: 2026-07-28, basic/versioning#protocol-version-negotiation
    if header != Revision.V2026_07_28:
        raise unsupported_version(header, SUPPORTED)


def _check_method(headers: Headers, request: Request, faults: frozenset[Fault]) -> None:
    header = headers.get("Mcp-Method")
    if Fault.METHOD_HEADER_BY_SPELLING in faults:
        header = headers.spelled("Mcp-Method", "mcp-method")
    if Fault.METHOD_HEADER_UNCHECKED in faults or (header is None and Fault.METHOD_HEADER_OPTIONAL in faults):
        return
    if header is not None and Fault.METHOD_HEADER_ANY_CASE in faults:
        header = header.lower()
    # MUST be there, MUST be what the body says, by case: 2026-07-28, basic/transports/streamable-http#server-validation
    if header != request.method:
        raise header_mismatch("Mcp-Method is not the method of the body")


def _check_name(headers: Headers, request: Request, faults: frozenset[Fault]) -> None:
    source = NAMED_BY.get(request.method)
    name = request.params.get(source) if source is not None else None
    if not isinstance(name, str):  # nothing to repeat; what the method makes of that is its own affair
        return
    header = headers.get("Mcp-Name")
    if Fault.NAME_HEADER_UNCHECKED in faults or (header is None and Fault.NAME_HEADER_OPTIONAL in faults):
        return
    if Fault.TASK_NAME_HEADER_UNCHECKED in faults and request.method in ("tasks/update", "tasks/cancel"):
        return
    if Fault.NAME_HEADER_NEVER_RIGHT in faults:
        name = request.method
    if header is None or decode(header) != name:
        raise header_mismatch(f"Mcp-Name is not the {source} of the body")


def _check_meta(request: Request, faults: frozenset[Fault]) -> None:
    version, capabilities = request.meta.get(PROTOCOL_VERSION), request.meta.get(CLIENT_CAPABILITIES)
    client = request.meta.get(CLIENT_INFO, None if Fault.CLIENT_INFO_REQUIRED in faults else {})
    if isinstance(version, str) and isinstance(capabilities, dict) and isinstance(client, dict):
        return
    # MUST be refused with -32602 and 400: 2026-07-28, basic#_meta
    code = json_rpc.INVALID_REQUEST if _code_fault(request) in faults else json_rpc.INVALID_PARAMS
    status = 200 if Fault.META_INVALID_WITH_200 in faults else 400
    raise Refusal(code, f"_meta carries {PROTOCOL_VERSION} and {CLIENT_CAPABILITIES}", status=status)


def _code_fault(request: Request) -> Fault:
    """Return the fault by which the lack in the `_meta` of `request` gets another code."""
    if not request.meta:
        return Fault.META_MISSING_OTHER_CODE
    if PROTOCOL_VERSION not in request.meta:
        return Fault.META_WITHOUT_VERSION_OTHER_CODE
    return Fault.META_WITHOUT_CAPABILITIES_OTHER_CODE


def check_arguments(headers: Headers, schema: JsonObject, arguments: JsonObject, faults: frozenset[Fault]) -> None:
    """Refuse a tool call whose headers do not repeat the annotated arguments.

    MUST be there for every value in the body, MUST match it, MUST NOT be expected for null:
    2026-07-28, basic/transports/streamable-http#server-behavior-for-custom-headers

    :raises Refusal: a header is missing, malformed, or says something else.
    """
    for path, name in annotated(schema):
        header, value = headers.get(name), value_at(arguments, path)
        if (header is None and value is None) or Fault.PARAM_HEADER_UNCHECKED in faults:
            continue
        if header is None and Fault.PARAM_HEADER_OPTIONAL in faults:
            continue
        said = header is not None and says(decode_faultily(header, faults), value)
        if header is None or not (said or Fault.PARAM_HEADER_OF_ANOTHER_VALUE in faults):
            raise header_mismatch(f"{name} is not the argument {'.'.join(path)}")
