"""What a request of the stateless wire says about itself, in `_meta` and once more in its header fields.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.mirrored_values import NAMED_BY
from pytest_mcp_conformance.serving.http import Headers
from pytest_mcp_conformance.serving.incoming import Request
from pytest_mcp_conformance.serving.mirrored_headers import annotated, decode, says, value_at
from pytest_mcp_conformance.serving.refusals import header_mismatch, invalid_params, unsupported_version

VERSION_HEADER = "MCP-Protocol-Version"
PREFIX = "io.modelcontextprotocol/"
PROTOCOL_VERSION = f"{PREFIX}protocolVersion"
CLIENT_CAPABILITIES = f"{PREFIX}clientCapabilities"
SERVER_INFO = f"{PREFIX}serverInfo"


def declared_version(body: JsonValue) -> JsonValue:
    """Return the version that a message says it is of, or null."""
    return as_object(as_object(as_object(body).get("params")).get("_meta")).get(PROTOCOL_VERSION)


def check_request(headers: Headers, request: Request, supported: Sequence[Revision]) -> None:
    """Refuse a request that does not say about itself what it must.

    :raises Refusal: header fields and body disagree, the version is not served, or `_meta` is incomplete.
    """
    _check_version(headers, request, supported)
    # MUST be there, MUST be what the body says, by case: 2026-07-28, basic/transports/streamable-http#server-validation
    if headers.get("Mcp-Method") != request.method:
        raise header_mismatch("Mcp-Method is not the method of the body")
    _check_name(headers, request)
    version, capabilities = request.meta.get(PROTOCOL_VERSION), request.meta.get(CLIENT_CAPABILITIES)
    if not (isinstance(version, str) and isinstance(capabilities, dict)):
        # MUST be -32602 and 400: 2026-07-28, basic#_meta
        incomplete = invalid_params(f"_meta carries {PROTOCOL_VERSION} and {CLIENT_CAPABILITIES}")
        incomplete.status = 400
        raise incomplete


def _check_version(headers: Headers, request: Request, supported: Sequence[Revision]) -> None:
    header, body = headers.get(VERSION_HEADER), request.meta.get(PROTOCOL_VERSION)
    # MUST be there, MUST be the version of the body: 2026-07-28, basic/transports/streamable-http#protocol-version-header
    if header is None:
        raise header_mismatch(f"{VERSION_HEADER} is missing")
    if body is not None and header != body:
        raise header_mismatch(f"{VERSION_HEADER} is not the version that the body names")
    # MUST be refused: 2026-07-28, basic/versioning#protocol-version-negotiation
    if header not in [each.value for each in supported if each.stateless]:
        raise unsupported_version(header, [each.value for each in supported])


def _check_name(headers: Headers, request: Request) -> None:
    source = NAMED_BY.get(request.method, "")
    name = request.params.get(source)
    header = headers.get("Mcp-Name")
    # MUST be there, MUST be what the body says: 2026-07-28, basic/transports/streamable-http#standard-request-headers
    if isinstance(name, str) and (header is None or decode(header) != name):
        raise header_mismatch(f"Mcp-Name is not the {source} of the body")


def check_mirrored_arguments(headers: Headers, schema: JsonObject, arguments: JsonObject) -> None:
    """Refuse a tool call whose headers do not repeat the annotated arguments.

    MUST be there for every value in the body, MUST match it, MUST NOT be expected for null:
    2026-07-28, basic/transports/streamable-http#server-behavior-for-custom-headers

    :raises Refusal: a header is missing, malformed, or says something else.
    """
    for path, name in annotated(schema):
        header, value = headers.get(name), value_at(arguments, path)
        if header is None and value is None:
            continue
        if header is None or not says(decode(header), value):
            raise header_mismatch(f"{name} is not the argument {'.'.join(path)}")
