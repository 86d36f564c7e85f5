"""One message, one verdict: which definition judges it, and in which words it is refused."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.schema_definitions import message_types
from pytest_mcp_conformance.protocol.wire_schema import violations
from tests.protocol.judged_messages import INVALID, VALID, Judged, answer

each_valid, each_invalid = (
    pytest.mark.parametrize(
        ("revision", "case"),
        [pytest.param(one, case, id=f"{case.what}-{one}") for case in cases for one in case.revisions],
    )
    for cases in (VALID, INVALID)
)


@each_valid
def test_a_message_passes(revision: Revision, case: Judged) -> None:
    assert violations(case.message, revision=revision, request_method=case.request_method) == ()


@each_invalid
def test_a_message_is_refused(revision: Revision, case: Judged) -> None:
    types = message_types(revision)
    names = {"{error}": types.error, "{result}": types.result, "{revision}": str(revision)}
    expected = case.violations
    for mark, name in names.items():
        expected = tuple(text.replace(mark, name) for text in expected)
    assert expected
    assert violations(case.message, revision=revision, request_method=case.request_method) == expected


@pytest.mark.parametrize("revision", list(Revision), ids=str)
def test_at_most_six_violations_are_written_and_the_others_counted(revision: Revision) -> None:
    found = violations([{}] * 9, revision=revision)
    assert found[0].startswith("[0] no JSON-RPC message")
    assert found[5].startswith("[5] no JSON-RPC message")
    assert found[6:] == ("and 3 more",)
    assert len(violations([{}] * 6, revision=revision)) == 6


def test_the_violations_of_one_message_are_counted_together() -> None:
    found = violations(answer({"content": [1] * 10}), revision=Revision.V2025_11_25, request_method="tools/call")
    assert len(found) == 7
    assert found[-1] == "and 4 more"
