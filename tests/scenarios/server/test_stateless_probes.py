"""Replies to single requests: how they are told."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.protocol.json_rpc import Answer
from pytest_mcp_conformance.scenarios.server.stateless_probes import Reply


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(method="ping", problem="HTTP 400 without a message", status=400), "HTTP 400 without a message"),
        (Answer(method="ping", problem="no answer within 1 s", status=200), "HTTP 200, no answer within 1 s"),
        (Answer(method="ping", problem="no answer within 1 s"), "no answer within 1 s"),
        (Answer(method="ping", status=200, message={"id": 1, "result": {}}), 'HTTP 200, {"id": 1, "result": {}}'),
    ],
)
def test_the_status_is_told_once(answer: Answer, told: str) -> None:
    assert Reply(id=1, answer=answer).shown() == told
