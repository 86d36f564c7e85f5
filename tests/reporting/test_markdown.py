"""The summary in Markdown, rendered as GitHub does: text of a peer stays text."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from pytest_mcp_conformance.model import ClientEnd, Ending, Status
from pytest_mcp_conformance.reporting.markdown_summary import MOST_CHARACTERS, markdown_summary
from pytest_mcp_conformance.reporting.markdown_text import code, link, plain
from tests.reporting.runs import HOSTILE, check, every_kind, hostile, record, result

OURS = {
    "h2",
    "h3",
    "p",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "code",
    "strong",
    "a",
    "details",
    "summary",
    "pre",
}
SPECIFICATION = "https://modelcontextprotocol.io/specification/"


class Rendered(HTMLParser):
    """What a browser would make of the summary."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.attributes: set[str] = set()
        self.feed(MarkdownIt("gfm-like", {"html": True}).render(markdown))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        """See `HTMLParser`."""
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All text, in one line."""
        return " ".join("".join(self.texts).split())


def test_every_kind_of_result_is_in_its_section() -> None:
    text = Rendered(markdown_summary(every_kind())).text
    assert text.startswith("MCP conformance: 2 of 11 scenarios failed")
    for words in (
        "2026-07-28 66.7 % 6 1 3 2 1 3 1",
        "Failures (2)",
        'one-failure@2026-07-28 tools-list an array of tools [{"name": "echo"}] MCP-Tools-List',
        "Stale entries of the baseline (1)",
        "repaired conformance.yml, line 7",
        "Not measured (3)",
        "gone@2026-07-28 could not run: nothing answers: connection refused",
        "late@2026-07-28 the run ended before it",
        "Warnings (1)",
        "one-warning@2026-07-28 tools-name-format",
        "Additions (1)",
        "own-check@2026-07-28 x-own",
        "Expected failures (2)",
        "excused:tools-list conformance.yml, line 7 expected not yet https://example.org/issues/7",
        "flaky conformance.yml, line 7 flaky, failed",
        "Not scored (1)",
        "extension@2026-07-28 extension failed",
        "twice@2026-07-28 failed passed",
        "32 scenarios of the client leg, which this run is not about",
        "curl -sSiN http://127.0.0.1:3000/mcp",
        "-H 'Authorization: ...'",
    ):  # fmt: skip
        assert words in text, words


def test_of_a_failed_client_its_task_and_its_end_are_told() -> None:
    failed = result("tools_call", Ending.FAILED, check(Status.FAILURE, got=[]), client=ClientEnd(exit_code=3))
    text = Rendered(markdown_summary(record(replace(failed, task="List the tools."), result("good")))).text
    assert "# the client's task: List the tools. # the client ended with exit code 3 " in text
    assert "the client" not in Rendered(markdown_summary(every_kind())).text.replace("scenarios of the client leg", "")


def test_a_good_run_is_short() -> None:
    text = markdown_summary(record(result("a"), result("b")))
    assert "2 of 2 scenarios passed" in text
    assert "###" not in text
    assert len(text) < 800


def test_nothing_that_a_peer_sends_becomes_more_than_text() -> None:
    rendered = Rendered(markdown_summary(hostile()))
    assert set(rendered.tags) <= OURS
    assert rendered.attributes <= {"href"}
    assert {link for link in rendered.links if not link.startswith(SPECIFICATION)} == set()
    for text in (
        "</script><img src=x onerror=alert(1)>",
        "{{ 7 * 7 }}{% raw %}",
        "@somebody #1 www.evil.example",
        "\\ud800",
        "\\u202e",
        "\\u0000",
    ):
        assert text in rendered.text, text
    rows = rendered.tags.count("tr")
    assert rows == sum(
        line.startswith("|") and "| --- |" not in line for line in markdown_summary(hostile()).splitlines()
    )


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("written", [plain, code])
def test_a_cell_holds_any_text(text: str, written: object) -> None:
    assert callable(written)
    rendered = Rendered(f"| a | b |\n| --- | --- |\n| {written(text)} | end |")
    assert rendered.tags.count("td") == 2
    assert set(rendered.tags) <= OURS
    assert rendered.links == []
    assert "\\ud800" in rendered.text or " ".join(text.split()) in rendered.text


def test_mentions_and_references_are_kept_apart_from_what_follows() -> None:
    assert "@somebody" not in "".join(f"<{part}" for part in plain("@somebody #12").split("<"))
    assert plain("@a #1") == "&#64;<!-- -->a &#35;<!-- -->1"


def test_a_link_leads_to_the_web_or_nowhere() -> None:
    assert link("x", "javascript:alert(1)") == "x"
    assert Rendered(link("x", 'https://a/"><img src=x>')).tags == ["p", "a"]


def test_a_long_run_fits_into_a_comment() -> None:
    failure = check(Status.FAILURE, got="<|>" * 100)
    run = record(*(result(f"scenario-{number}", Ending.FAILED, failure) for number in range(1000)))
    text = markdown_summary(run)
    assert MOST_CHARACTERS - 1_000 < len(text) <= MOST_CHARACTERS
    assert "### Failures (1000)" in text
    assert "more are left out" in text


def test_the_length_of_a_shortened_value_is_the_one_it_had() -> None:
    assert Rendered(code("y" * 300 + "... (100002 characters)")).text.endswith("... (100002 characters)")
