"""Who the client is and what it is capable of, as it says on either wire."""

from __future__ import annotations

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.client.faults import Fault, Faults

NAME = "pytest-mcp-conformance-reference-client"

DECLARED_BY_TRUE = {
    Fault.ROOTS_DECLARED_BY_TRUE: "roots",
    Fault.SAMPLING_DECLARED_BY_TRUE: "sampling",
    Fault.ELICITATION_DECLARED_BY_TRUE: "elicitation",
}


def client_info(faults: Faults) -> JsonObject:
    """Return the name and version of the client."""
    return {"name": "" if Fault.NAME_EMPTY in faults else NAME, "version": __version__}


def capabilities(revision: Revision, faults: Faults) -> JsonObject:
    """Return what the client declares: what `server_requests` answers, as far as `revision` knows it.

    MUST declare what it supports: 2025-11-25, client/elicitation#capabilities; client/sampling, client/roots alike
    """
    declared: JsonObject = {"roots": {}, "sampling": {}}
    if revision >= Revision.V2025_06_18:
        declared["elicitation"] = {"form": {}} if revision >= Revision.V2025_11_25 else {}
    for fault, name in DECLARED_BY_TRUE.items():
        if fault in faults and name in declared:
            declared[name] = True
    return declared
