"""The requests that the client makes: each with an id of its own."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.client.faults import Fault, Faults


class Requests:
    """Makes requests."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._last = 0

    def make(self, method: str, params: JsonObject | None) -> tuple[int, JsonObject]:
        """Return a new request with its id."""
        # MUST NOT have been used before: all revisions, basic#requests; MUST be different between the initial request and
        # the retry: 2026-07-28, basic/patterns/mrtr#client-requirements-basic-workflow, item 3
        if not (Fault.ROUND_WITH_SAME_ID in self._faults and "inputResponses" in (params or {})):
            self._last += 1
        return self._last, json_rpc.request(self._last, method, params)
