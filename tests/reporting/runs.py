"""Runs as the reports get them: one of each kind of result, and texts as hostile as a peer can make them."""

from __future__ import annotations

from datetime import UTC, datetime

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, shown
from pytest_mcp_conformance.judgement import Judgement, Listed, Score, Verdict
from pytest_mcp_conformance.model import Check, Ending, Leg, Level, Outcome, Revision, SpecRef, Status
from pytest_mcp_conformance.reporting.decisions import decisions_of
from pytest_mcp_conformance.reporting.run_record import Result, RunRecord, Target, Unmeasured, UnmeasuredLeg
from pytest_mcp_conformance.reporting.transcript_json import transcript_json

# What must stay text, wherever it stands. Each ends or begins something in HTML, in Markdown or in a script.
HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "</pre></code></td></details><script>alert(2)</script>",
    "<!--<script>]]>",
    "{{ 7 * 7 }}{% raw %}",
    "a|b\n\n# heading\n![x](http://evil.example/x.png) [y](javascript:alert(3)) `tick`",
    "@somebody #1 www.evil.example https://evil.example user@evil.example ***bold*** ~~gone~~",
    "'\" onmouseover=alert(4) x='",
    "lone \ud800 surrogate, right-to-left \u202e mark, nothing \x00, escape \x1b[31m",
    "&lt;b&gt; &#60;i&#62;",
)
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
OLD, NEW = Revision.V2025_11_25, Revision.V2026_07_28
SPEC = SpecRef(
    id="MCP-Tools-List", url="https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools"
)


def check(status: Status = Status.SUCCESS, *, got: object = None, **members: object) -> Check:
    """Return a check of that status; one that did not hold has expected and got."""
    bad = status in (Status.FAILURE, Status.WARNING)
    text = str(shown(got)) if bad else None
    values: dict[str, object] = {
        "id": "tools-list",
        "name": "ToolsList",
        "description": "tools/list is answered with an array of tools.",
        "level": Level.MUST,
        "timestamp": "2026-12-01T09:30:00.000Z",
        "spec": (SPEC,),
        "message": f"expected an array of tools, got {text}" if bad else None,
        "expected": "an array of tools" if bad else None,
        "got": text,
        "entry": 2,
    }
    return Check(status=status, **{**values, **members})  # type: ignore[arg-type]


def transcript(answer: JsonValue, *, entries: int = 0) -> tuple[JsonValue, ...]:
    """Return the transcript of one stateless request and its answer, and as many further remarks."""
    message: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers: JsonObject = {"Content-Type": "application/json", "Mcp-Method": "tools/list"}
    url = "http://127.0.0.1:3000/mcp"
    notes: list[JsonValue] = [
        {"number": 3 + n, "ms": 3.0, "from": "harness", "kind": "note", "note": f"remark {n}"} for n in range(entries)
    ]
    return (
        {
            "number": 0,
            "ms": 0.5,
            "from": "harness",
            "kind": "request",
            "method": "POST",
            "url": url,
            "headers": headers,
            "body": message,
        },
        {
            "number": 1,
            "ms": 1.5,
            "from": "implementation",
            "kind": "response",
            "answers": 0,
            "status": 200,
            "headers": {"content-type": "application/json"},
        },
        {
            "number": 2,
            "ms": 2.0,
            "from": "implementation",
            "kind": "body",
            "answers": 0,
            "body": {"jsonrpc": "2.0", "id": 1, "result": answer},
        },
        *notes,
    )


def result(
    name: str = "tools-list",
    ending: Ending = Ending.PASSED,
    *checks: Check,
    revision: Revision = NEW,
    judgement: Judgement | None = None,
    answer: JsonValue = None,
    entries: int = 0,
    **members: object,
) -> Result:
    """Return a result as the controller has it, judged as a run without baseline and sets judges it."""
    outcome = Outcome(
        scenario=name,
        leg=Leg.SERVER,
        revision=revision,
        ending=ending,
        checks=checks or (check(),),
        transcript=transcript(answer, entries=entries),
        seconds=0.25,
        **members,  # type: ignore[arg-type]
    )
    plain = {
        Ending.PASSED: Verdict.PASSED,
        Ending.WARNED: Verdict.PASSED,
        Ending.FAILED: Verdict.FAILED,
        Ending.NOT_APPLICABLE: Verdict.NOT_APPLICABLE,
        Ending.COULD_NOT_RUN: Verdict.NONE,
        Ending.HARNESS_ERROR: Verdict.NONE,
    }
    return Result(
        outcome=outcome,
        judgement=judgement or Judgement(verdict=plain[ending]),
        again=f"pytest --mcp-server-url=http://127.0.0.1:3000/mcp 'mcp/server::test_server[{name}@{revision}]'",
        purpose="The server lists its tools.",
        decisions=decisions_of(outcome, secret_headers=("Authorization",)),
        transcript=transcript_json(outcome.transcript),
        folder=f"server-{name}@{revision}-2026-12-01T09-30-00-000Z",
    )


def listed(name: str, **members: str) -> Listed:
    """Return an entry of a baseline."""
    return Listed(name=name, place="conformance.yml, line 7", **members)


def record(*results: Result, exit_code: int = 0, **members: object) -> RunRecord:
    """Return a run with these results."""
    values: dict[str, object] = {
        "versions": {"version": "0.1.0", "python": "3.11.9", "pytest": "9.2.0"},
        "target": Target(kind="url", url="http://127.0.0.1:3000/mcp"),
        "options": {"suites": ["all"], "timeout": 30.0, "strict": False, "headers": ["Authorization"]},
        "strict": False,
        "started": NOW,
        "seconds": 12.5,
        "workers": 0,
        "results": tuple(sorted(results, key=lambda each: (each.outcome.scenario, each.outcome.revision))),
        "unreported": (),
        "exit_code": exit_code,
    }
    return RunRecord(**{**values, **members})  # type: ignore[arg-type]


def every_kind() -> RunRecord:
    """Return a run with one result of each kind."""
    failure = check(Status.FAILURE, got=[{"name": "echo"}])
    warning = check(Status.WARNING, id="tools-name-format", level=Level.SHOULD, got=["a/b"])
    return record(
        result("all-good", Ending.PASSED, check(), check(Status.INFO, id="remark", message="worth reading")),
        result("all-good", Ending.PASSED, check(), revision=OLD),
        result("not-applicable", Ending.NOT_APPLICABLE, reason="the server declares no prompts"),
        result(
            "one-failure",
            Ending.FAILED,
            failure,
            check(id="other"),
            answer={"tools": [{"name": "echo"}]},
            unreached=("third",),
        ),
        result("one-failure", Ending.FAILED, failure, revision=OLD, answer={"tools": [{"name": "echo"}]}),
        result("one-warning", Ending.WARNED, warning, answer={"tools": [{"name": "a/b"}]}),
        result("own-check", Ending.PASSED, check(), check(Status.FAILURE, id="x-own", addition=True, got=0)),
        result(
            "excused",
            Ending.FAILED,
            failure,
            judgement=Judgement(
                verdict=Verdict.EXPECTED,
                baseline=True,
                expected=(listed("excused:tools-list", reason="not yet", link="https://example.org/issues/7"),),
            ),
        ),
        result(
            "flaky",
            Ending.FAILED,
            failure,
            judgement=Judgement(verdict=Verdict.FLAKY, baseline=True, flaky=(listed("flaky"),)),
        ),
        result(
            "repaired",
            Ending.PASSED,
            judgement=Judgement(verdict=Verdict.STALE, baseline=True, stale=(listed("repaired", reason="was broken"),)),
        ),
        result(
            "extension", Ending.FAILED, failure, judgement=Judgement(verdict=Verdict.NOT_SCORED, score=Score.EXTENSION)
        ),
        result(
            "scored", Ending.PASSED, judgement=Judgement(verdict=Verdict.PASSED, score=Score.SCORED, meets_set=True)
        ),
        result("gone", Ending.COULD_NOT_RUN, reason="nothing answers: connection refused"),
        result(
            "our-fault", Ending.HARNESS_ERROR, reason="Traceback (most recent call last):\n  File ...\nKeyError: 'x'"
        ),
        result("twice", Ending.PASSED, beside_others=Ending.FAILED),
        exit_code=1,
        unreported=(Unmeasured(scenario="late", revision=NEW, reason="the run ended before it"),),
        in_sets={NEW: 37},
        unmeasured_legs=(UnmeasuredLeg(leg=Leg.CLIENT, revision=NEW, scenarios=32),),
    )


def hostile() -> RunRecord:
    """Return a run in which every text that a peer can choose is hostile."""
    results = []
    for number, text in enumerate(HOSTILE):
        results.append(
            result(
                f"hostile-{number}",
                Ending.FAILED,
                check(Status.FAILURE, got={"name": text, text: text}, expected=f"the name {shown(text)}"),
                check(Status.WARNING, id="second", got=text * 50),
                answer={"name": text, text: text, "tools": [{"name": text, text: text}]},
                reason=text,
            )
        )
    huge = result(
        "huge", Ending.FAILED, check(Status.FAILURE, got="y" * 100_000), answer={"text": "z" * 60_000}, entries=1900
    )
    return record(
        *results,
        huge,
        exit_code=1,
        target=Target(kind="command", command=f"server {HOSTILE[0]}"),
        unreported=tuple(Unmeasured(scenario=f"late-{n}", revision=NEW, reason=text) for n, text in enumerate(HOSTILE)),
    )
