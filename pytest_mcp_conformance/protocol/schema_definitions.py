"""The definitions of MCP's schema of one revision: judging a value by one of them, and which judges which message.

Not the library `jsonschema`, which judges by any schema, because of what these values and schemas are. A value comes from a
peer, so it must not raise, exhaust the stack, or be written out whole into a message; `jsonschema` recurses with the value and
writes every value it refuses. Every message of a run is judged, so judging must cost next to nothing; here it takes a tenth
of the time, and no import. The schemas are our own and use fourteen keywords. `jsonschema` is the referee in the tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType

from pytest_mcp_conformance.bundled import schemas_folder
from pytest_mcp_conformance.exceptions import HarnessError
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, is_number, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.schema_findings import Check, Findings, Place, walk
from pytest_mcp_conformance.protocol.schema_keywords import KEYWORDS, together

DIRECT_LEVELS = 24  # of a recursive definition that are followed on the stack; what lies deeper waits in a list


@cache
def definitions(revision: Revision) -> Definitions:
    """Return the definitions of `revision`. They are read once."""
    document = json.loads((schemas_folder() / f"{revision}.json").read_bytes())
    return Definitions(document.get("$defs") or document["definitions"])


class Definitions:
    """The definitions of one schema; the check of each is built when it is first needed."""

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        self.schemas = schemas
        self._checks: dict[str, Check | None] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.schemas

    def judge(self, name: str, value: JsonValue, *, place: Place = None) -> Findings:
        """Judge `value`, which is at `place`, by the definition `name`."""
        check = self.check(name)
        return Findings() if check is None else walk(check, value, place)

    def check(self, name: str, *, within: tuple[str, ...] = ()) -> Check | None:
        """Return the check of the definition `name`, None if it accepts everything.

        :param within: the definitions that are being built around it.
        """
        if name in within:
            return partial(self._go_deeper, name)
        if name not in self._checks:
            self._checks[name] = _Building(self, self.schemas[name], within=(*within, name)).all_keywords()
        return self._checks[name]

    def _go_deeper(self, name: str, value: JsonValue, place: Place, findings: Findings) -> None:
        """Apply a definition inside itself, on a stack of bounded depth."""
        check = self.check(name)
        if check is None:
            return
        if findings.depth >= DIRECT_LEVELS:
            findings.postponed.append((check, value, place))
            return
        findings.depth += 1
        check(value, place, findings)
        findings.depth -= 1


@dataclass(frozen=True)
class _Building:
    """One schema while its check is being built."""

    definitions: Definitions
    schema: JsonValue
    within: tuple[str, ...]

    def all_keywords(self) -> Check | None:
        if self.schema is True:
            return None
        if not isinstance(self.schema, dict) or not self.schema.keys() <= KEYWORDS.keys():
            raise HarnessError(f"definition {self.within[-1]}: no check is written for {shown(self.schema)}")
        return together(KEYWORDS[keyword](operand, self) for keyword, operand in self.schema.items())

    def check(self, schema: JsonValue) -> Check | None:
        return _Building(self.definitions, schema, within=self.within).all_keywords()

    def definition(self, reference: JsonValue) -> Check | None:
        return self.definitions.check(named_by(reference), within=self.within)

    def types(self, schema: JsonValue) -> frozenset[str]:
        while isinstance(schema, dict) and "$ref" in schema:
            schema = self.definitions.schemas[named_by(schema["$ref"])]
        names = as_object(schema).get("type", [])
        return frozenset(str(name) for name in (names if isinstance(names, list) else [names]))


def named_by(reference: JsonValue) -> str:
    """Return the name of the definition that a `$ref` refers to."""
    return str(reference).rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class MessageTypes:
    """Which definition judges which message of one revision, as the schema itself says."""

    by_method: Mapping[str, str]
    result_of: Mapping[str, str]
    by_error_code: Mapping[int | float, str]
    request: str
    notification: str
    result: str
    error: str
    input_required: str | None
    any: str


@cache
def message_types(revision: Revision) -> MessageTypes:
    """Derive the maps of `revision` from the constants in its definitions."""
    known = definitions(revision)
    by_method: dict[str, str] = {}
    by_error_code: dict[int | float, str] = {}
    for name, schema in known.schemas.items():
        members = as_object(schema.get("properties"))
        method = as_object(members.get("method")).get("const")
        if isinstance(method, str):
            by_method[method] = name
        for part in as_list(as_object(members.get("error")).get("allOf")):
            code = as_object(as_object(as_object(part).get("properties")).get("code")).get("const")
            if is_number(code):
                by_error_code[code] = name
    result_of = {
        method: result
        for method, name in by_method.items()
        if name.endswith("Request") and (result := name.removesuffix("Request") + "Result") in known
    }
    split = "JSONRPCResultResponse" in known  # from 2025-11-25 on the two kinds of response have names of their own
    return MessageTypes(
        by_method=MappingProxyType(by_method),
        result_of=MappingProxyType(result_of),
        by_error_code=MappingProxyType(by_error_code),
        request="JSONRPCRequest",
        notification="JSONRPCNotification",
        result="JSONRPCResultResponse" if split else "JSONRPCResponse",
        error="JSONRPCErrorResponse" if split else "JSONRPCError",
        input_required="InputRequiredResult" if "InputRequiredResult" in known else None,
        any="JSONRPCMessage",
    )
