"""Pass rates, the words for a run, and `run.json` against its schema."""

from __future__ import annotations

import json

import jsonschema
import pytest

from pytest_mcp_conformance.bundled import schemas_folder
from pytest_mcp_conformance.json_values import dumps
from pytest_mcp_conformance.judgement import Judgement, Score, Verdict
from pytest_mcp_conformance.model import Ending, Leg, Revision, Status
from pytest_mcp_conformance.reporting.run_json import run_as_json
from pytest_mcp_conformance.reporting.run_record import RunRecord, UnmeasuredLeg
from pytest_mcp_conformance.reporting.run_words import beyond, headline
from tests.reporting.runs import NEW, OLD, check, every_kind, hostile, listed, record, result

FAILURE, WARNING = check(Status.FAILURE, got=1), check(Status.WARNING, got=1)
ADDITION = check(Status.FAILURE, got=1, addition=True)
EXCUSED = Judgement(
    verdict=Verdict.EXPECTED, baseline=True, expected=(listed("a"),), score=Score.SCORED, meets_set=False
)
UNSCORED = Judgement(verdict=Verdict.NOT_SCORED, score=Score.PENDING)


@pytest.mark.parametrize(
    ("run", "percent", "passed", "measured"),
    [
        pytest.param(record(result("a"), result("b", Ending.FAILED, FAILURE)), "50 %", 1, 2, id="half"),
        pytest.param(record(result("a", Ending.WARNED, WARNING)), "100 %", 1, 1, id="a warning passes"),
        pytest.param(
            record(result("a", Ending.WARNED, WARNING), strict=True), "0 %", 0, 1, id="and fails under strict"
        ),
        pytest.param(record(result("a", Ending.PASSED, ADDITION)), "100 %", 1, 1, id="an addition counts nothing"),
        pytest.param(
            record(result("a", Ending.FAILED, FAILURE, judgement=EXCUSED)), "0 %", 0, 1, id="an excuse is no pass"
        ),
        pytest.param(
            record(result("a"), result("b", Ending.FAILED, FAILURE, judgement=UNSCORED)), "100 %", 1, 1, id="not scored"
        ),
        pytest.param(
            record(result("a", Ending.COULD_NOT_RUN, reason="gone")), "none measured", 0, 0, id="not measured"
        ),
        pytest.param(record(result("a", Ending.NOT_APPLICABLE)), "none measured", 0, 0, id="not applicable"),
        pytest.param(
            record(*(result(f"s{n}") for n in range(2999)), result("b", Ending.FAILED, FAILURE)),
            "99.9 %",
            2999,
            3000,
            id="never rounded up",
        ),
    ],
)
def test_the_pass_rate(run: RunRecord, percent: str, passed: int, measured: int) -> None:
    (rate,) = run.rates()
    assert (rate.percent, rate.passed, rate.measured) == (percent, passed, measured)


def test_each_revision_has_a_rate_of_its_own() -> None:
    rates = record(result("a", revision=OLD), result("a", Ending.FAILED, FAILURE, revision=NEW)).rates()
    assert [(rate.revision, rate.passed, rate.failed) for rate in rates] == [(OLD, 1, 0), (NEW, 0, 1)]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (record(result("a"), result("b")), ["2 of 2 scenarios passed"]),
        (record(result("a")), ["1 of 1 scenario passed"]),
        (record(), ["nothing was measured"]),
        (record(result("a", Ending.COULD_NOT_RUN, reason="gone")), ["nothing was measured"]),
        (
            record(result("a"), result("b", Ending.COULD_NOT_RUN, reason="gone")),
            ["1 of 1 scenario passed", "1 not measured"],
        ),
        (
            record(result("a"), result("b", Ending.FAILED, FAILURE, judgement=EXCUSED)),
            ["1 of 2 scenarios passed", "1 failed as expected"],
        ),
        (
            every_kind(),
            [
                "2 of 11 scenarios failed",
                "1 of 11 scenarios with a stale entry in the baseline",
                "2 failed as expected",
                "3 not measured",
            ],
        ),
    ],
)
def test_the_words_for_a_run(run: RunRecord, words: list[str]) -> None:
    assert headline(run) == words


def test_what_a_requirement_set_asks_beyond_the_run_is_told() -> None:
    legs = (UnmeasuredLeg(leg=Leg.CLIENT, revision=NEW, scenarios=32),)
    told = beyond(record(result("a"), in_sets={NEW: 37}, unmeasured_legs=legs))
    assert told == [
        "The requirement set 2026-07-28 scores 36 more that were not measured in this run.",
        "The requirement set 2026-07-28 also scores 32 scenarios of the client leg, which this run is not about.",
    ]


@pytest.mark.parametrize("run", [every_kind(), hostile(), record()], ids=["every kind", "hostile", "empty"])
def test_run_json_is_valid_by_its_schema(run: RunRecord) -> None:
    schema = json.loads((schemas_folder() / "run.schema.json").read_bytes())
    text = dumps(run_as_json(run))
    assert text.isascii()
    jsonschema.validate(json.loads(text), schema, cls=jsonschema.Draft202012Validator)


def test_run_json_tells_what_was_not_measured_and_why() -> None:
    read = json.loads(dumps(run_as_json(every_kind())))
    assert [(each["scenario"], each["reason"].splitlines()[0]) for each in read["not_measured"]] == [
        ("gone", "could not run: nothing answers: connection refused"),
        ("late", "the run ended before it"),
        ("our-fault", "harness error: Traceback (most recent call last):"),
    ]
    assert read["not_measured_legs"] == [{"leg": "client", "revision": "2026-07-28", "scenarios": 32}]
    assert read["complete"] is False
    assert read["revisions"]["2026-07-28"]["pass_rate"] == pytest.approx(6 / 9, abs=0.0001)
    assert read["counts"]["additions"] == {"FAILURE": 1}


def test_the_schema_refuses_what_is_no_run() -> None:
    schema = json.loads((schemas_folder() / "run.schema.json").read_bytes())
    validator = jsonschema.Draft202012Validator(schema)
    whole = json.loads(dumps(run_as_json(every_kind())))
    assert validator.is_valid(whole)
    for name in whole:
        assert not validator.is_valid({key: value for key, value in whole.items() if key != name}), name
    assert not validator.is_valid({**whole, "other": 1})
    whole["scenarios"][0]["ending"] = "fine"
    assert not validator.is_valid(whole)


def test_the_words_of_the_schema_are_those_of_the_model() -> None:
    schema = json.loads((schemas_folder() / "run.schema.json").read_bytes())
    assert schema["$defs"]["ending"]["enum"] == [*map(str, Ending)] or set(schema["$defs"]["ending"]["enum"]) == set(
        map(str, Ending)
    )
    assert set(schema["$defs"]["check"]["properties"]["status"]["enum"]) == set(map(str, Status))
    assert set(schema["$defs"]["judgement"]["properties"]["verdict"]["enum"]) == set(map(str, Verdict))
    assert set(schema["$defs"]["judgement"]["properties"]["score"]["enum"]) == set(map(str, Score))
    assert set(schema["$defs"]["leg"]["enum"]) == set(map(str, Leg))
    assert all(jsonschema.Draft202012Validator(schema["$defs"]["revision"]).is_valid(each.value) for each in Revision)
