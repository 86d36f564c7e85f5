"""Resources: a text, an image, one that can be watched, and a template."""

import json
import re

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from media import PNG
from toolbox import Context

RESOURCE_NOT_FOUND = -32002  # before 2026-07-28, which has -32602 for it

TEXT = types.TextResourceContents(
    uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
)
BINARY = types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PNG)
WATCHED = types.TextResourceContents(
    uri="test://watched-resource", mime_type="text/plain", text="This resource can be watched; it never changes."
)
CONTENTS: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
    resource.uri: resource for resource in (TEXT, BINARY, WATCHED)
}
TEMPLATE = types.ResourceTemplate(
    uri_template="test://template/{id}/data",
    name="template-data",
    description="Data for one id",
    mime_type="application/json",
)
MATCHES_TEMPLATE = re.compile(r"test://template/(?P<id>[^/]+)/data")


def _not_found(context: Context, uri: str) -> MCPError:
    # MUST be -32602 (2026-07-28, server/resources#error-handling), SHOULD be -32002 (2025-11-25, the same place)
    modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    return MCPError(types.INVALID_PARAMS if modern else RESOURCE_NOT_FOUND, "Resource not found", data={"uri": uri})


async def list_resources(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    """Answer resources/list."""
    listed = [
        types.Resource(uri=uri, name=uri.removeprefix("test://"), mime_type=resource.mime_type)
        for uri, resource in CONTENTS.items()
    ]
    return types.ListResourcesResult(resources=listed)


async def list_resource_templates(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    """Answer resources/templates/list."""
    return types.ListResourceTemplatesResult(resource_templates=[TEMPLATE])


async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    """Answer resources/read."""
    if params.uri in CONTENTS:
        return types.ReadResourceResult(contents=[CONTENTS[params.uri]])
    from_template = MATCHES_TEMPLATE.fullmatch(params.uri)
    if from_template is None:
        raise _not_found(context, params.uri)
    identifier = from_template["id"]
    data = {"id": identifier, "templateTest": True, "data": f"Data for ID: {identifier}"}
    contents = types.TextResourceContents(uri=params.uri, mime_type="application/json", text=json.dumps(data))
    return types.ReadResourceResult(contents=[contents])


async def subscribe(context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
    """Answer resources/subscribe. No resource here ever changes, so no session is owed a notification."""
    if params.uri not in CONTENTS:
        raise _not_found(context, params.uri)
    return types.EmptyResult()


async def unsubscribe(_context: Context, _params: types.UnsubscribeRequestParams) -> types.EmptyResult:
    """Answer resources/unsubscribe."""
    return types.EmptyResult()
