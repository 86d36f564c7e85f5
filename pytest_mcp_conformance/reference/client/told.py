"""What the client is told: the variables of its environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_mcp_conformance.json_values import JsonObject, NotJson, as_object, loads
from pytest_mcp_conformance.model import LATEST_STATEFUL, Revision
from pytest_mcp_conformance.reference.client.failing import ClientFailure

SCENARIO = "MCP_CONFORMANCE_SCENARIO"
VERSION = "MCP_CONFORMANCE_PROTOCOL_VERSION"
CONTEXT = "MCP_CONFORMANCE_CONTEXT"


@dataclass(frozen=True, kw_only=True)
class Told:
    """The scenario, the revision to speak, and what else the scenario says."""

    scenario: str = ""
    revision: Revision = LATEST_STATEFUL
    context: JsonObject = field(default_factory=dict)

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Told:
        """Return what `environment` says.

        :raises ClientFailure: a variable has a value that means nothing.
        """
        version = environment.get(VERSION) or LATEST_STATEFUL.value
        if version not in [each.value for each in Revision]:
            raise ClientFailure(f"{VERSION} is {version!r}. This client speaks {', '.join(Revision)}.")
        try:
            context = as_object(loads(environment.get(CONTEXT) or "{}"))
        except NotJson as error:
            raise ClientFailure(f"{CONTEXT} is {error}") from error
        return cls(scenario=environment.get(SCENARIO, ""), revision=Revision(version), context=context)
