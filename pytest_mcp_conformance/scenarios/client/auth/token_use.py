"""Access tokens on their way to the MCP server. Additions.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#token-requirements
"""

from __future__ import annotations

from urllib.parse import parse_qsl

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import NotJson, as_object, loads
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.protected_resource import ENDPOINT, bearer_token
from pytest_mcp_conformance.scenarios.client.auth import references
from pytest_mcp_conformance.scenarios.client.auth.staging import Cast
from pytest_mcp_conformance.serving.http import HttpRequest

OPENING = ("initialize", "server/discover")  # a further connection may not know of the token yet
ACCESS_TOKEN = "access_token"  # noqa: S105 -- the name of a parameter: RFC 6750, 2.3

EVERY_REQUEST = Requirement(
    id="x-token-in-every-request",
    name="AccessTokenInEveryRequest",
    level=Level.MUST,
    text="Once it has an access token, the client sends it with every HTTP request to the MCP server, GET and DELETE too.",
    spec=(references.TOKEN_REQUIREMENTS,),
    addition=True,
)
NOT_IN_QUERY = Requirement(
    id="x-token-not-in-query",
    name="AccessTokenNotInQuery",
    level=Level.MUST,
    text="No access token is in the query of a request to the MCP server.",
    spec=(references.TOKEN_REQUIREMENTS,),
    addition=True,
)
TOKEN_USE = (EVERY_REQUEST, NOT_IN_QUERY)


def decide_token_use(checks: Checks, cast: Cast) -> None:
    """Decide on all HTTP requests to the MCP server from the first one on that had a token."""
    issued = cast.tokens.issued
    sent = [each for each in cast.server.http_requests if each.path == ENDPOINT]
    shown = [each for each in sent if bearer_token(each) in issued]
    if shown:
        later = [each for each in sent[sent.index(shown[0]) :] if each.method in ("POST", "GET", "DELETE")]
        # MUST be in every HTTP request, also within one session: 2025-03-26 on, basic/authorization#token-requirements.
        # A token that was not issued is another check's matter.
        without = [each for each in later if bearer_token(each) is None and _rpc_method(each) not in OPENING]
        checks.decide(
            EVERY_REQUEST,
            not without,
            expected="a Bearer token in the Authorization header of every request",
            got=[f"{each.method} {_rpc_method(each) or ''}".strip() for each in without],
            entry=without[0].entry if without else None,
        )
    if issued:
        # MUST NOT be in the query: 2025-03-26 on, basic/authorization#token-requirements, item 2
        leaking = [each for each in cast.server.http_requests if _has_token(each.query, set(issued))]
        checks.decide(
            NOT_IN_QUERY,
            not leaking,
            expected="queries without an access token",
            got=[f"{each.method} {each.path}" for each in leaking],
            entry=leaking[0].entry if leaking else None,
        )


def _has_token(query: str, issued: set[str]) -> bool:
    fields = parse_qsl(query, errors="replace")
    return any(name == ACCESS_TOKEN or value in issued for name, value in fields)


def _rpc_method(http: HttpRequest) -> str | None:
    try:
        method = as_object(loads(http.body)).get("method")
    except NotJson:
        return None
    return method if isinstance(method, str) else None
