"""Checks and outcomes as JSON: the published form of a check, and the text in which an outcome travels between processes."""

from __future__ import annotations

import base64
import json
from typing import Any

from pytest_mcp_conformance.json_values import JsonObject, dumps
from pytest_mcp_conformance.model import Check, ClientEnd, Ending, Leg, Level, Outcome, Revision, SpecRef, Status


def check_as_json(check: Check) -> JsonObject:
    """Return a check as `checks.json` has it: the published members first, ours (`level`, `expected`, `got`) behind them."""
    members: JsonObject = {
        "id": check.id,
        "name": check.name,
        "description": check.description,
        "status": check.status.value,
        "timestamp": check.timestamp,
        "specReferences": [{"id": reference.id, "url": reference.url} for reference in check.spec],
        "details": check.details,
        "errorMessage": check.message,
        "level": check.level.value,
        "expected": check.expected,
        "got": check.got,
        "entry": check.entry,
        "addition": check.addition or None,
    }
    return {name: value for name, value in members.items() if value is not None}


def packed(outcome: Outcome) -> str:
    """Return an outcome as one ASCII line. It rides on a test report, which carries nothing but plain values."""
    return dumps(
        {
            "scenario": outcome.scenario,
            "leg": outcome.leg.value,
            "revision": outcome.revision.value,
            "ending": outcome.ending.value,
            "checks": [check_as_json(check) for check in outcome.checks],
            "reason": outcome.reason,
            "unreached": list(outcome.unreached),
            "transcript": list(outcome.transcript),
            "seconds": outcome.seconds,
            "beside_others": outcome.beside_others.value if outcome.beside_others else None,
            "client": _end_as_json(outcome.client) if outcome.client else None,
        }
    )


def unpacked(text: str) -> Outcome:
    """Return the outcome that `packed` wrote."""
    read: dict[str, Any] = json.loads(text)
    return Outcome(
        scenario=read["scenario"],
        leg=Leg(read["leg"]),
        revision=Revision(read["revision"]),
        ending=Ending(read["ending"]),
        checks=tuple(_check(each) for each in read["checks"]),
        reason=read["reason"],
        unreached=tuple(read["unreached"]),
        transcript=tuple(read["transcript"]),
        seconds=read["seconds"],
        beside_others=Ending(read["beside_others"]) if read["beside_others"] else None,
        client=_end(read["client"]) if read["client"] else None,
    )


def _end_as_json(end: ClientEnd) -> JsonObject:
    return {
        "exit_code": end.exit_code,
        "signal": end.signal,
        "timed_out": end.timed_out,
        "seconds": end.seconds,
        "stdout": base64.b64encode(end.stdout).decode("ascii"),
        "stderr": base64.b64encode(end.stderr).decode("ascii"),
    }


def _end(read: dict[str, Any]) -> ClientEnd:
    return ClientEnd(
        exit_code=read["exit_code"],
        signal=read["signal"],
        timed_out=read["timed_out"],
        seconds=read["seconds"],
        stdout=base64.b64decode(read["stdout"]),
        stderr=base64.b64decode(read["stderr"]),
    )


def _check(read: dict[str, Any]) -> Check:
    return Check(
        id=read["id"],
        name=read["name"],
        description=read["description"],
        status=Status(read["status"]),
        level=Level(read["level"]),
        timestamp=read["timestamp"],
        spec=tuple(SpecRef(id=each["id"], url=each["url"]) for each in read["specReferences"]),
        message=read.get("errorMessage"),
        expected=read.get("expected"),
        got=read.get("got"),
        details=read.get("details"),
        entry=read.get("entry"),
        addition=read.get("addition", False),
    )
