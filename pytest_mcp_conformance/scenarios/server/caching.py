"""Caching: how long and for whom a client may keep a result.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.exceptions import ErrorAnswer, Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, is_integer, truthy
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.peer import Peer
from pytest_mcp_conformance.scenarios.declaration import server_scenario

CACHING = (
    SpecRef(id="MCP-Caching", url="https://modelcontextprotocol.io/specification/draft/server/utilities/caching"),
    SpecRef(id="SEP-2549", url="https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2549"),
)
SCOPES = ("public", "private")
READ = "resources/read"
INPUT_REQUIRED = "input_required"


def hints(method: str, subject: str, name: str) -> Requirement:
    """Return the requirement that the result of `method` carries its hints."""
    return Requirement(
        id=f"sep-2549-{subject}-caching-hints",
        name=f"{name}CachingHints",
        level=Level.MUST,
        text=f"The result of {method} has ttlMs and cacheScope.",
        spec=CACHING,
    )


TOOLS_LIST_HINTS = hints("tools/list", "tools-list", "ToolsList")
PROMPTS_LIST_HINTS = hints("prompts/list", "prompts-list", "PromptsList")
RESOURCES_LIST_HINTS = hints("resources/list", "resources-list", "ResourcesList")
TEMPLATES_LIST_HINTS = hints("resources/templates/list", "resources-templates-list", "ResourcesTemplatesList")
READ_HINTS = hints(READ, "resources-read", "ResourcesRead")
LISTS = {
    "tools/list": TOOLS_LIST_HINTS,
    "prompts/list": PROMPTS_LIST_HINTS,
    "resources/list": RESOURCES_LIST_HINTS,
    "resources/templates/list": TEMPLATES_LIST_HINTS,
}

CONNECTION = Requirement(
    id="sep-2549-caching-connection",
    name="CachingConnection",
    level=Level.MUST,
    text="The server can be connected to.",
    spec=CACHING,
    exceptional=True,
)
TTL_NON_NEGATIVE = Requirement(
    id="sep-2549-ttl-non-negative",
    name="TtlNonNegative",
    level=Level.MUST,
    text="Every ttlMs is an integer of at least 0.",
    spec=CACHING,
)
CACHE_SCOPE_VALID = Requirement(
    id="sep-2549-cache-scope-valid",
    name="CacheScopeValid",
    level=Level.MUST,
    text="Every cacheScope is public or private.",
    spec=CACHING,
)


@server_scenario(
    name="caching",
    introduced_in="2026-07-28",
    purpose="Cacheable results carry valid ttlMs and cacheScope.",
    decides=(*LISTS.values(), READ_HINTS, TTL_NON_NEGATIVE, CACHE_SCOPE_VALID, CONNECTION),
    charged=CONNECTION,
    needs=Needs(
        methods=(
            "tools/list, prompts/list, resources/list, resources/templates/list and resources/read, with caching hints",
        ),
        other=(
            "at least one resource in resources/list that can be read; else the hints of resources/read are skipped",
        ),
        capabilities=("tools", "prompts", "resources"),
    ),
)
async def caching(peer: Peer, checks: Checks) -> None:
    await peer.connect()
    results: dict[str, JsonObject] = {}
    for method, requirement in LISTS.items():
        if (result := await decide_hints(peer, checks, requirement, method)) is not None:
            results[method] = result
    uri = first_uri(results.get("resources/list"))
    if uri is None:
        checks.skip(READ_HINTS, "resources/list names no resource that could be read")
    elif (read := await decide_hints(peer, checks, READ_HINTS, READ, {"uri": uri})) is not None:
        results[READ] = read
    ttls = {method: result["ttlMs"] for method, result in results.items() if "ttlMs" in result}
    checks.decide(
        TTL_NON_NEGATIVE,
        bool(ttls) and all(valid_ttl(ttl) for ttl in ttls.values()),
        expected="a ttlMs, and each an integer of at least 0",
        got=ttls,
        details=by_endpoint(results, "ttlMs"),
    )
    scopes = {method: result["cacheScope"] for method, result in results.items() if "cacheScope" in result}
    checks.decide(
        CACHE_SCOPE_VALID,
        bool(scopes) and all(scope in SCOPES for scope in scopes.values()),
        expected="a cacheScope, and each public or private",
        got=scopes,
        details=by_endpoint(results, "cacheScope"),
    )


async def decide_hints(
    peer: Peer,
    checks: Checks,
    requirement: Requirement,
    method: str,
    params: JsonObject | None = None,
) -> JsonObject | None:
    """Request `method`, decide whether its result has both hints, and return the result, if one came that should."""
    wanted = f"a result of {method} with ttlMs and cacheScope"
    try:
        result = await peer.request(method, params, from_peer=params is not None)
    except ErrorAnswer as error:
        refused: JsonObject = {} if error.error is None else {"code": error.error.code, "message": error.error.message}
        checks.fail(requirement, expected=wanted, got=error.got, details={"error": refused})
        return None
    except Nonconforming as error:
        checks.fail(requirement, expected=wanted, got=error.got)
        return None
    # Due on complete results alone: 2026-07-28, server/utilities/caching#cacheable-results. Of what is asked here, only a
    # resource may be answered with a request for input: 2026-07-28, basic/patterns/mrtr#supported-requests
    if method == READ and result.get("resultType") == INPUT_REQUIRED:
        checks.skip(
            requirement, "the server asks for input before it gives the resource, and such a result has no hints"
        )
        return None
    has_ttl, has_scope = "ttlMs" in result, "cacheScope" in result
    checks.decide(
        requirement,
        has_ttl and has_scope,
        expected=wanted,
        got=result,
        details={
            "ttlMs": result.get("ttlMs"),
            "cacheScope": result.get("cacheScope"),
            "hasTtlMs": has_ttl,
            "hasCacheScope": has_scope,
        },
    )
    return result


def first_uri(listed: JsonObject | None) -> str | None:
    """Return the URI of the first resource of a list, if it has one that can be asked for."""
    resources = as_list((listed or {}).get("resources"))
    uri = as_object(resources[0]).get("uri") if resources else None
    return uri if isinstance(uri, str) and truthy(uri) else None


def valid_ttl(ttl: JsonValue) -> bool:
    """Tell whether `ttl` is an integer of at least 0: 2026-07-28, server/utilities/caching."""
    return is_integer(ttl) and ttl >= 0


def by_endpoint(results: dict[str, JsonObject], member: str) -> JsonObject:
    """Return what each result has as `member`, in the published form."""
    return {"endpoints": [{"endpoint": method, member: result.get(member)} for method, result in results.items()]}
