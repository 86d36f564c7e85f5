"""What a header repeats of a message, so that whoever stands in between need not read the body, and how it is written.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http (SEP-2243)
"""

from __future__ import annotations

# Which member of the parameters Mcp-Name repeats.
# MUST for tools, prompts and resources: 2026-07-28, basic/transports/streamable-http#standard-request-headers;
# for tasks: SEP-2663, routing headers.
NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}

# Around a value in Base64: 2026-07-28, basic/transports/streamable-http#value-encoding
PREFIX, SUFFIX = "=?base64?", "?="
