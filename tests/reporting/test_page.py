"""The page as a file: whole, on its own, and with nothing in it that a peer could have put there as more than text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from pytest_mcp_conformance.json_values import JsonValue, dumps
from pytest_mcp_conformance.model import Ending, Status
from pytest_mcp_conformance.reporting.page import State, entries_of, page
from pytest_mcp_conformance.reporting.transcript_json import ENTRY_CHARACTERS, TRANSCRIPT_CHARACTERS, transcript_json
from tests.reporting.runs import HOSTILE, check, every_kind, hostile, record, result

VOID = {"meta", "input", "wbr", "rect"}
NO_SOURCE = {"img", "iframe", "object", "embed", "link", "base", "audio", "video", "source"}


class Parsed(HTMLParser):
    """What a browser makes of the page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.scripts: list[tuple[str | None, str]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.policy = ""
        self._script: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        values = dict(attrs)
        self.tags.append(tag)
        self.attributes |= values.keys()
        self.links |= {value or "" for name, value in attrs if name in {"href", "src"}}
        if tag == "script":
            self._script = values.get("type") or ""
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values.get("content") or ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """See `HTMLParser`."""
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """See `HTMLParser`."""
        if self._script is not None:
            self.scripts.append((self._script, data))
            self._script = None
        else:
            self.text.append(data)


@pytest.mark.parametrize("run", [every_kind(), hostile(), record()], ids=["every kind", "hostile", "empty"])
def test_the_page_is_whole_and_needs_nothing_from_elsewhere(run: object) -> None:
    parsed = Parsed(page(run))  # type: ignore[arg-type]
    assert parsed.open == []
    assert not NO_SOURCE & set(parsed.tags)
    assert not {name for name in parsed.attributes if name.startswith("on") or name in {"style", "srcset"}}
    assert {link for link in parsed.links if not link.startswith(("#", "https://modelcontextprotocol.io/"))} == set()
    assert parsed.tags.count("style") == 1
    assert [kind for kind, _ in parsed.scripts if kind != "application/json"] == [""]


def test_only_the_script_and_the_style_of_the_page_are_allowed() -> None:
    text = page(hostile())
    for element in ("style", "script"):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in Parsed(text).policy
    assert "default-src 'none'" in Parsed(text).policy


def test_transcripts_lie_in_the_page_as_json_that_ends_no_script() -> None:
    run = hostile()
    found = [json.loads(content) for kind, content in Parsed(page(run)).scripts if kind == "application/json"]
    assert len(found) == len(run.results)
    texts = dumps(found)
    for text in HOSTILE:
        assert dumps(text)[1:-1] in texts


def test_what_a_peer_sent_is_shown_as_it_came() -> None:
    shown = "".join(Parsed(page(hostile())).text)
    for text in (
        "</script><img src=x onerror=alert(1)>",
        "{{ 7 * 7 }}{% raw %}",
        "&lt;b&gt; &#60;i&#62;",
        "\\ud800",
        "\\u202e",
        "\\u0000",
    ):
        assert text in shown
    assert not set("\u202e\x00\x1b") & set(shown)


def test_every_result_is_on_the_page_under_its_state() -> None:
    states = {(entry.scenario, entry.revision): entry.state for entry in entries_of(every_kind())}
    assert len(states) == len(every_kind().results) + 1
    assert {name: state for (name, revision), state in states.items() if revision == "2026-07-28"} == {
        "all-good": State.PASSED,
        "excused": State.EXPECTED,
        "extension": State.NOT_SCORED,
        "flaky": State.EXPECTED,
        "gone": State.NOT_MEASURED,
        "late": State.NOT_MEASURED,
        "not-applicable": State.NOT_APPLICABLE,
        "one-failure": State.FAILED,
        "one-warning": State.WARNED,
        "our-fault": State.NOT_MEASURED,
        "own-check": State.PASSED,
        "repaired": State.STALE,
        "scored": State.PASSED,
        "twice": State.PASSED,
    }


def test_the_page_tells_all_that_is_known_of_a_result() -> None:
    shown = " ".join(" ".join(Parsed(page(every_kind())).text).split())
    for words in (
        "2 of 11 scenarios failed",
        "The server lists its tools.",
        'an array of tools got [{"name": "echo"}]',
        "curl -sSiN http://127.0.0.1:3000/mcp",
        "Not reached: third.",
        "Run twice: failed beside other scenarios, passed alone.",
        "Expected to fail: excused:tools-list (conformance.yml, line 7): not yet https://example.org/issues/7.",
        "Flaky, failed this time: flaky (conformance.yml, line 7).",
        "Remove conformance.yml, line 7.",
        "The requirement set does not score this scenario: extension.",
        "nothing answers: connection refused",
        "KeyError: 'x'",
        "the run ended before it",
        "server-one-failure@2026-07-28-2026-12-01T09-30-00-000Z",
        "addition",
    ):  # fmt: skip
        assert words in shown, words


def test_a_transcript_is_bounded_whatever_was_sent() -> None:
    long: list[JsonValue] = [
        {"number": n, "kind": "body", "answers": 0, "body": "x" * 60_000, "from": "peer"} for n in range(200)
    ]
    text = transcript_json(long)
    assert len(text) < TRANSCRIPT_CHARACTERS + 1_000
    read = json.loads(text)
    assert "more; wire.jsonl has them" in read[-1]["note"]
    assert read[0]["body"].endswith("characters)")
    usual: JsonValue = {"number": 0, "kind": "body", "answers": 0, "body": {"a": "x" * (ENTRY_CHARACTERS - 200)}}
    assert json.loads(transcript_json([usual])) == [usual]


def test_a_thousand_results_make_a_page_in_a_moment() -> None:
    import time

    failure = check(Status.FAILURE, got=[{"name": "echo"}])
    run = record(*(result(f"scenario-{number}", Ending.FAILED, failure) for number in range(1000)))
    started = time.process_time()
    text = page(run)
    assert time.process_time() - started < 3
    assert text.count('<details class="scenario') == 1000


def test_the_page_tells_what_a_client_had_to_do_and_wrote() -> None:
    shown = replace(result("tools_call", Ending.FAILED), task="Call the tool.", written="its stderr:\n  <b>boom</b>")
    text = " ".join("".join(Parsed(page(record(shown))).text).split())
    assert "The client's task: Call the tool." in text
    assert "its stderr: <b>boom</b>" in text
