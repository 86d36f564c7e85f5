"""Resources: what a server lists, what reading returns, and subscriptions.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/server/resources
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks, lacking
from pytest_mcp_conformance.json_values import JsonObject, as_list, as_object, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, Resource, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario

SPECIFICATION = "https://modelcontextprotocol.io/specification"
PAGE = f"{SPECIFICATION}/2025-06-18/server/resources"
READING = SpecRef(id="MCP-Resources-Read", url=f"{PAGE}#reading-resources")
SUBSCRIBING = SpecRef(id="MCP-Resources-Subscribe", url=f"{PAGE}#subscriptions")

WATCHED = Resource(uri="test://watched-resource", returns="some text/plain text")

RESOURCES_LIST = Requirement(
    id="resources-list",
    name="ResourcesList",
    level=Level.MUST,
    text="resources/list returns an array of resources, each with uri and name.",
    spec=(SpecRef(id="MCP-Resources-List", url=f"{PAGE}#listing-resources"),),
)
RESOURCES_READ_TEXT = Requirement(
    id="resources-read-text",
    name="ResourcesReadText",
    level=Level.MUST,
    text="Reading a text resource returns contents with uri, mimeType and text.",
    spec=(READING,),
)
RESOURCES_READ_BINARY = Requirement(
    id="resources-read-binary",
    name="ResourcesReadBinary",
    level=Level.MUST,
    text="Reading a binary resource returns contents with uri, mimeType and blob.",
    spec=(READING,),
)
RESOURCES_TEMPLATES_READ = Requirement(
    id="resources-templates-read",
    name="ResourcesTemplateRead",
    level=Level.MUST,
    text="Reading a URI that a template covers returns a text that reflects the parameter.",
    spec=(SpecRef(id="MCP-Resources-Templates", url=f"{PAGE}#resource-templates"),),
)
RESOURCES_SUBSCRIBE = Requirement(
    id="resources-subscribe",
    name="ResourcesSubscribe",
    level=Level.MUST,
    text="resources/subscribe is answered with a result.",
    spec=(SUBSCRIBING,),
)
RESOURCES_UNSUBSCRIBE = Requirement(
    id="resources-unsubscribe",
    name="ResourcesUnsubscribe",
    level=Level.MUST,
    text="resources/unsubscribe after resources/subscribe is answered with a result.",
    spec=(
        SpecRef(id="MCP-Resources-Subscribe", url=f"{SPECIFICATION}/2025-06-18/schema#unsubscriberequest"),
        SUBSCRIBING,
    ),
)


@server_scenario(
    name="resources-list",
    introduced_in="2025-06-18",
    purpose="resources/list returns resources with uri and name.",
    decides=(RESOURCES_LIST,),
    needs=Needs(methods=("resources/list",), capabilities=("resources",)),
)
async def resources_list(peer: Peer, checks: Checks) -> None:
    resources = (await peer.request("resources/list")).get("resources")
    incomplete = [resource for resource in as_list(resources) if lacking(resource, "uri", "name")]
    checks.decide(
        RESOURCES_LIST,
        isinstance(resources, list) and not incomplete,
        expected="an array of resources with uri and name",
        got=incomplete or resources,
        details={
            "resourceCount": len(as_list(resources)),
            "resources": [as_object(resource).get("uri") for resource in as_list(resources)],
        },
    )


@server_scenario(
    name="resources-read-text",
    introduced_in="2025-06-18",
    purpose="A text resource can be read.",
    decides=(RESOURCES_READ_TEXT,),
    needs=Needs(
        resources=(
            Resource(
                uri="test://static-text",
                returns="mimeType text/plain and the text «This is the content of the static text resource.»",
            ),
        ),
        capabilities=("resources",),
    ),
)
async def resources_read_text(peer: Peer, checks: Checks) -> None:
    result = await peer.request("resources/read", {"uri": "test://static-text"})
    first = first_contents(result)
    checks.decide(
        RESOURCES_READ_TEXT,
        not lacking(first, "uri", "mimeType", "text"),
        expected="contents whose first entry has uri, mimeType and text",
        got=result.get("contents"),
        details={"uri": first.get("uri"), "mimeType": first.get("mimeType"), "hasText": truthy(first.get("text"))},
    )


@server_scenario(
    name="resources-read-binary",
    introduced_in="2025-06-18",
    purpose="A binary resource can be read.",
    decides=(RESOURCES_READ_BINARY,),
    needs=Needs(
        resources=(
            Resource(uri="test://static-binary", returns="mimeType image/png and a blob: the Base64 of a small PNG"),
        ),
        capabilities=("resources",),
    ),
)
async def resources_read_binary(peer: Peer, checks: Checks) -> None:
    result = await peer.request("resources/read", {"uri": "test://static-binary"})
    first = first_contents(result)
    checks.decide(
        RESOURCES_READ_BINARY,
        not lacking(first, "uri", "mimeType", "blob"),
        expected="contents whose first entry has uri, mimeType and blob",
        got=result.get("contents"),
        details={"uri": first.get("uri"), "mimeType": first.get("mimeType"), "hasBlob": truthy(first.get("blob"))},
    )


@server_scenario(
    name="resources-templates-read",
    introduced_in="2025-06-18",
    purpose="A resource behind a URI template can be read and reflects the parameter.",
    decides=(RESOURCES_TEMPLATES_READ,),
    needs=Needs(
        resources=(
            Resource(
                uri="test://template/{id}/data",
                template=True,
                returns='mimeType application/json and the text {"id": "<id>", "templateTest": true,'
                ' "data": "Data for ID: <id>"}',
            ),
        ),
        capabilities=("resources",),
    ),
)
async def resources_templates_read(peer: Peer, checks: Checks) -> None:
    result = await peer.request("resources/read", {"uri": "test://template/123/data"})
    first = first_contents(result)
    text = first.get("text")
    checks.decide(
        RESOURCES_TEMPLATES_READ,
        truthy(first.get("uri")) and isinstance(text, str) and "123" in text,
        expected='contents whose first entry has a uri and a text with the parameter, "123"',
        got=result.get("contents"),
        details={"uri": first.get("uri"), "content": first["text"] if "text" in first else first.get("blob")},
    )


@server_scenario(
    name="resources-subscribe",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="The server accepts a resource subscription.",
    decides=(RESOURCES_SUBSCRIBE,),
    needs=Needs(
        resources=(WATCHED,),
        methods=("resources/subscribe, answered with an empty result",),
        capabilities=("resources.subscribe",),
    ),
)
async def resources_subscribe(peer: Peer, checks: Checks) -> None:
    await peer.request("resources/subscribe", {"uri": WATCHED.uri})
    checks.succeed(RESOURCES_SUBSCRIBE)


@server_scenario(
    name="resources-unsubscribe",
    introduced_in="2025-06-18",
    removed_in="2026-07-28",
    purpose="The server accepts the end of a resource subscription.",
    decides=(RESOURCES_UNSUBSCRIBE,),
    needs=Needs(
        resources=(WATCHED,),
        methods=("resources/subscribe and resources/unsubscribe, each answered with an empty result",),
        capabilities=("resources.subscribe",),
    ),
)
async def resources_unsubscribe(peer: Peer, checks: Checks) -> None:
    await peer.request("resources/subscribe", {"uri": WATCHED.uri})
    await peer.request("resources/unsubscribe", {"uri": WATCHED.uri})
    checks.succeed(RESOURCES_UNSUBSCRIBE)


def first_contents(result: JsonObject) -> JsonObject:
    """Return the first entry of the contents of resources/read; an empty object where there is none or it is none."""
    return as_object(next(iter(as_list(result.get("contents"))), None))
