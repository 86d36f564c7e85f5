"""The resource parameter: for which server a client says it wants a token.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#resource-parameter-implementation
"""

from __future__ import annotations

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonValue, Shown
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.events import AuthorizationRequested, Log, ResourceMetadataRead, TokenRequested
from pytest_mcp_conformance.oauth.resources import objection
from pytest_mcp_conformance.scenarios.client.auth import references

REFERENCES = (references.RFC_8707, references.RESOURCE_PARAMETER)
NOT_PROVIDED = Shown("not provided")

IN_AUTHORIZATION = Requirement(
    id="resource-parameter-in-authorization",
    name="Resource parameter in authorization request",
    level=Level.MUST,
    text="The authorization request has a resource parameter.",
    spec=REFERENCES,
)
IN_TOKEN = Requirement(
    id="resource-parameter-in-token",
    name="Resource parameter in token request",
    level=Level.MUST,
    text="The token request has a resource parameter.",
    spec=REFERENCES,
)
VALID_URI = Requirement(
    id="resource-parameter-valid-uri",
    name="Resource parameter is valid canonical URI",
    level=Level.MUST,
    text="The resource parameter is an absolute URI without a fragment.",
    spec=REFERENCES,
)
CONSISTENT = Requirement(
    id="resource-parameter-consistency",
    name="Resource parameter consistency",
    level=Level.MUST,
    text="The authorization request and the token request have the same resource parameter.",
    spec=REFERENCES,
)
MATCHES_METADATA = Requirement(
    id="resource-parameter-matches-prm",
    name="Resource parameter matches protected resource metadata",
    level=Level.MUST,
    text="The resource parameter is the resource of the protected resource metadata, character by character.",
    spec=(*REFERENCES, references.CANONICAL_URI, references.RESOURCE_IDENTITY),
)
RESOURCE_PARAMETER = (IN_AUTHORIZATION, IN_TOKEN, VALID_URI, CONSISTENT, MATCHES_METADATA)


def decide_resource_parameter(checks: Checks, log: Log) -> None:
    """Decide on the resource parameters of the latest authorization request and the latest token request."""
    authorizing = _latest([event.parameters.all("resource") for event in log.of(AuthorizationRequested)])
    redeeming = _latest([event.parameters.all("resource") for event in log.of(TokenRequested)])
    # MUST be in both: 2025-11-25, basic/authorization#resource-parameter-implementation, 1
    for requirement, values in ((IN_AUTHORIZATION, authorizing), (IN_TOKEN, redeeming)):
        checks.decide(
            requirement,
            bool(values),
            expected="a resource parameter",
            got=_shown(values),
            details={"resource": _shown(values)},
        )
    sent = authorizing or redeeming
    if not sent:
        return
    wrong = [f"{value}: {problem}" for value in sent if (problem := objection(value)) is not None]
    checks.decide(
        VALID_URI,
        not wrong,
        expected="an absolute URI without a fragment",
        got="; ".join(wrong),
        details={"resource": _shown(sent), **({"error": "; ".join(wrong)} if wrong else {})},
    )
    both: dict[str, JsonValue] = {
        "authorizationResource": _shown(authorizing),
        "tokenResource": _shown(redeeming),
    }
    if authorizing and redeeming:
        # SHOULD be the same or fewer where several are named, and here one is meant: RFC 8707, 2.2
        checks.decide(
            CONSISTENT,
            set(authorizing) == set(redeeming),
            expected=f"the resource of the authorization request, {_shown(authorizing)}",
            got=_shown(redeeming),
            details=both,
        )
    documents = log.of(ResourceMetadataRead)
    if not documents:
        return
    # MUST be the canonical URI, which is the resource of the metadata: 2026-07-28,
    # basic/authorization#canonical-server-uri
    told = documents[-1].document["resource"]
    checks.decide(
        MATCHES_METADATA,
        all(value == told for value in (*authorizing, *redeeming)),
        expected=f"the resource of the metadata, {told}",
        got=both,
        details={"prmResource": told, **both},
    )


def _latest(requests: list[tuple[str, ...]]) -> tuple[str, ...]:
    return requests[-1] if requests else ()


def _shown(values: tuple[str, ...]) -> str:
    return " ".join(values) or NOT_PROVIDED
