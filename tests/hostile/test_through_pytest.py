"""Broken servers as a user sees them: what pytest prints, in one process and in several."""

from __future__ import annotations

import pytest

SEEN = {
    "never_answers": "*expected the end within 1 s, got no end after POST*",
    "closes_without_an_answer": "*no proper HTTP answer came*",
    "sends_200_megabytes": "*the answer is too large*",
    "streams_invalid_utf_8": "*an event whose data is not valid UTF-8*",
    "has_control_characters_everywhere": "*error -32603*u001b?31m*u202e*",
    "requests_with_control_characters": "*expected a string or an integer*",
    "nests_1000000_levels": "*larger than can be read*",
    "has_an_error_of_list": "*an error without an integer code*",
}


RUNS = [
    *((behaviour, 0) for behaviour in SEEN),
    # What a worker learns travels to another process.
    ("has_control_characters_everywhere", 2),
    ("streams_invalid_utf_8", 2),
]


@pytest.mark.parametrize(("behaviour", "workers"), RUNS)
def test_a_broken_server_is_one_failure_in_words(
    pytester: pytest.Pytester, base: str, behaviour: str, workers: int
) -> None:
    result = pytester.runpytest_subprocess(
        "-p",
        "no:asyncio",
        f"--mcp-server-url={base}/{behaviour}",
        "--mcp-scenario=tools-list",
        "--mcp-spec-version=2025-11-25",
        "--mcp-timeout=1",
        f"-n{workers}",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([SEEN[behaviour]])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    printed = "\n".join([*result.outlines, *result.errlines])
    assert "INTERNALERROR" not in printed
    assert "harness error" not in printed
    assert all(line.isprintable() for line in printed.split("\n"))
