"""How `jsonschema-rs` misreads some values, and a copy of a value that it reads as what it is.

Each of these is seen in the tests: what the library reads right one day can be taken out here.
"""

from __future__ import annotations

import json
import re
import sys

from pytest_mcp_conformance.json_values import JsonObject, JsonValue

LARGEST = sys.float_info.max
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
MARK = "\0"
MISTAKEN_NAME = re.compile(rf"\+?[0-9]*|{MARK}.*", re.DOTALL)


def readable(value: JsonValue) -> JsonValue:
    r"""Return a copy of `value` to be judged in its place.

    - A lone surrogate, for which the library raises, becomes the text `\\udxxx`.
    - A subclass of `str`, for which it raises too, becomes a `str`.
    - An infinite number, which is what JSON's `1e999` is read as, is none for it: it becomes the largest one.
    - The name of a member that looks like an index, and the empty one, are marked: in the path of an error the library makes
      an integer of the one and leaves out the other. No member that a schema of MCP describes has such a name.
    """
    text = LONE_SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))
    copy: JsonValue = json.loads(
        text, parse_constant={"Infinity": LARGEST, "-Infinity": -LARGEST}.get, object_pairs_hook=_with_marked_names
    )
    return copy


def _with_marked_names(members: list[tuple[str, JsonValue]]) -> JsonObject:
    return {MARK + name if MISTAKEN_NAME.fullmatch(name) else name: value for name, value in members}


def without_mark(name: str) -> str:
    """Return the name of a member in `value` by that in its copy."""
    return name.removeprefix(MARK)
