"""Faults that deform single answers or refuse single requests, as tables: one file an area."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.spoiled import core, modern, skills, tasks
from pytest_mcp_conformance.reference.server.spoiled.spoiling import Refused, Spoiled, deformed, subject
from pytest_mcp_conformance.serving.exchange import Reply
from pytest_mcp_conformance.serving.incoming import Request

__all__ = ["refuse", "spoil", "spoil_request", "subject"]

SPOILED: Mapping[Fault, tuple[Spoiled, ...]] = {**core.SPOILED, **modern.SPOILED, **tasks.SPOILED, **skills.SPOILED}
REFUSED: Mapping[Fault, Refused] = {**core.REFUSED, **skills.REFUSED}


def refuse(faults: frozenset[Fault], request: Request) -> None:
    """Refuse `request`, if a fault says so.

    :raises Refusal: it does.
    """
    for fault in faults & REFUSED.keys():
        if REFUSED[fault].concerns(request):
            raise REFUSED[fault].refusal


def spoil(faults: frozenset[Fault], request: Request, reply: Reply) -> Reply:
    """Return `reply`, deformed as the faults say."""
    rows = _rows(faults)
    statuses = [
        row.status for row in rows if row.status and row.concerns(request.method, subject(request), reply.message)
    ]
    message = deformed(rows, request.method, subject(request), reply.message)
    return replace(reply, message=message, status=[reply.status, *statuses][-1])


def spoil_request(faults: frozenset[Fault], method: str, tool: str | None, params: JsonObject) -> JsonObject:
    """Return the parameters of a request to the client, deformed as the faults say."""
    return deformed(_rows(faults), method, tool, params)


def _rows(faults: frozenset[Fault]) -> list[Spoiled]:
    return [row for fault in sorted(faults & SPOILED.keys()) for row in SPOILED[fault]]
