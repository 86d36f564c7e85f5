"""JSON Schema 2020-12: keywords lost, changed, or in an odd place."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.json_values import JsonObject, JsonValue
from pytest_mcp_conformance.scenarios.server.json_schema import TOOL
from tests.scenarios.server.odd_replies import Odd, statuses_of

FOUND = "json-schema-2020-12-tool-found"
ERROR = "json-schema-2020-12-error"
DIALECT, DEFINITIONS = "json-schema-2020-12-$schema", "json-schema-2020-12-$defs"
CLOSED = "json-schema-2020-12-additionalProperties"
COMPOSITION, CONDITION, ANCHOR = (
    f"sep-2106-{what}-preserved" for what in ("composition-keywords", "conditional-keywords", "anchor-keyword")
)
ALL_WELL = dict.fromkeys((FOUND, DIALECT, DEFINITIONS, CLOSED, COMPOSITION, CONDITION, ANCHOR), "SUCCESS")
SEP_2106 = (COMPOSITION, CONDITION, ANCHOR)


def listed(fact: str, tools: JsonValue, *statuses: tuple[str, dict[str, str]]) -> list[Odd]:
    return [
        Odd(
            fact=fact,
            scenario="json-schema-2020-12",
            revision=revision,
            replies={"tools/list": {"tools": tools}},
            statuses=expected,
        )
        for revision, expected in statuses
    ]


def with_schema(fact: str, schema: JsonValue, *lost: str) -> list[Odd]:
    """Return a server whose tool has `schema`, at a revision before and one after SEP-2106 binds."""
    before = ALL_WELL | {check: "SKIPPED" if check in SEP_2106 else "FAILURE" for check in lost}
    return listed(
        fact,
        [{"name": TOOL.name, "inputSchema": schema}],
        ("2025-11-25", before),
        ("2026-07-28", ALL_WELL | dict.fromkeys(lost, "FAILURE")),
    )


def broken(fact: str, tools: JsonValue, statuses: dict[str, str]) -> list[Odd]:
    return listed(fact, tools, ("2025-11-25", statuses), ("2026-07-28", statuses))


def without(*keywords: str) -> JsonObject:
    return {keyword: value for keyword, value in TOOL.input_schema.items() if keyword not in keywords}


WHOLE = TOOL.input_schema
ODD = [
    *with_schema("the whole schema", WHOLE),
    *with_schema("another dialect", {**WHOLE, "$schema": "http://json-schema.org/draft-07/schema#"}, DIALECT),
    *with_schema("the dialect with a fragment", {**WHOLE, "$schema": f"{WHOLE['$schema']}#"}, DIALECT),
    *with_schema("no dialect", without("$schema"), DIALECT),
    *with_schema("no definitions", without("$defs"), DEFINITIONS, ANCHOR),
    *with_schema("empty definitions", {**WHOLE, "$defs": {}}, DEFINITIONS, ANCHOR),
    *with_schema("null as definitions", {**WHOLE, "$defs": None}, DEFINITIONS, ANCHOR),
    *with_schema("a definition that is null", {**WHOLE, "$defs": {"address": None}}, ANCHOR),
    *with_schema("an anchor that is null", {**WHOLE, "$defs": {"address": {"$anchor": None}}}),
    *with_schema("open to further properties", {**WHOLE, "additionalProperties": True}, CLOSED),
    *with_schema("zero as additionalProperties", {**WHOLE, "additionalProperties": 0}, CLOSED),
    *with_schema("an empty schema as additionalProperties", {**WHOLE, "additionalProperties": {}}, CLOSED),
    *with_schema("no additionalProperties", without("additionalProperties"), CLOSED),
    *with_schema("no composition", without("allOf"), COMPOSITION),
    *with_schema("an empty composition", {**WHOLE, "allOf": []}, COMPOSITION),
    *with_schema("null in the composition", {**WHOLE, "allOf": [None]}, COMPOSITION),
    *with_schema("an object inside the composition", {**WHOLE, "allOf": [{"anyOf": {}}]}, COMPOSITION),
    *with_schema("an empty list inside the composition", {**WHOLE, "allOf": [{}, {"anyOf": []}]}),
    *with_schema("no else", without("else"), CONDITION),
    *with_schema("null as else", {**WHOLE, "else": None}),
    *broken("no such tool", [{"name": "other", "inputSchema": {}}], {FOUND: "FAILURE"}),
    *broken("no tools", [], {FOUND: "FAILURE"}),
    *broken("null as tools", None, {FOUND: "FAILURE"}),
    *broken("an object of tools", {TOOL.name: {}}, {ERROR: "FAILURE"}),
    *broken("null among the tools", [{"name": TOOL.name, "inputSchema": WHOLE}, None], {ERROR: "FAILURE"}),
    *broken("no input schema", [{"name": TOOL.name}], {FOUND: "SUCCESS", ERROR: "FAILURE"}),
    *broken("a text as schema", [{"name": TOOL.name, "inputSchema": "$schema"}], {FOUND: "SUCCESS", ERROR: "FAILURE"}),
    *broken(
        "a text as definitions",
        [{"name": TOOL.name, "inputSchema": {**WHOLE, "$defs": "address"}}],
        {FOUND: "SUCCESS", DIALECT: "SUCCESS", ERROR: "FAILURE"},
    ),
    Odd(
        fact="tools/list is refused",
        scenario="json-schema-2020-12",
        revision="2026-07-28",
        replies={},
        statuses={ERROR: "FAILURE"},
    ),
]


@pytest.mark.parametrize("odd", ODD, ids=str)
async def test_an_odd_reply_gets_exactly_its_statuses(odd: Odd) -> None:
    assert await statuses_of(odd) == odd.statuses
