"""YAML as JSON: the core schema of YAML 1.2, in which `yes`, `on` and dates are texts.

Source: YAML 1.2.2, 10.3 (core schema), 3.2.1.3 (keys of a mapping are unique).
"""

from __future__ import annotations

import math
import re

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pytest_mcp_conformance.json_values import JsonObject, JsonValue

NULL, BOOL, INT, FLOAT, STR = (f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str"))

MOST_CHARACTERS = 64 * 1024  # many times what the fields of the Agent Skills specification take
MOST_VALUES = 10_000  # aliases make much of little

SCALARS = (
    (NULL, re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]),
    (BOOL, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    (INT, re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"), list("-+0123456789")),
    (
        FLOAT,
        re.compile(
            r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
        ),
        list("-+.0123456789"),
    ),
)


class NotYaml(ValueError):
    """The text is not one YAML document."""


# That of libyaml allows tabs between tokens, as YAML 1.2 does; it is in every wheel of PyYAML.
SAFE_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _CoreLoader(SAFE_LOADER):  # type: ignore[misc,valid-type] # one of two with the same methods
    """Knows the scalars of the core schema; a tag of another one is left aside, and its value taken for what it looks like."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 -- of the base class


class _Builder:
    """Builds JSON from nodes. An alias is built again wherever it stands, so what is built is counted."""

    def __init__(self) -> None:
        self._built = 0

    def value(self, node: Node) -> JsonValue:
        self._built += 1
        if self._built > MOST_VALUES:
            raise NotYaml(f"more than {MOST_VALUES} values")
        if isinstance(node, MappingNode):
            return self._mapping(node)
        if isinstance(node, SequenceNode):
            return [self.value(each) for each in node.value]
        return _scalar(node)

    def _mapping(self, node: MappingNode) -> JsonObject:
        made: JsonObject = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise NotYaml("a key that is no scalar")
            name = _as_key(_scalar(key))
            if name in made:
                raise NotYaml("a key that is there twice")
            made[name] = self.value(value)
        return made


def _as_key(value: JsonValue) -> str:
    """Return the member name of a key, which in JSON is a text."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _scalar(node: Node) -> JsonValue:
    text = str(node.value)
    if node.tag == NULL:
        return None
    if node.tag == BOOL:
        return text.lower() == "true"
    if node.tag == INT:
        digits = text.lower()
        return int(digits, 8 if digits.startswith("0o") else 16 if digits.startswith("0x") else 10)
    if node.tag == FLOAT:
        digits = text.lower().replace(".inf", "inf")
        return math.nan if digits == ".nan" else float(digits)
    return text


for _tag, _pattern, _first in SCALARS:
    _CoreLoader.add_implicit_resolver(_tag, _pattern, _first)


def load(text: str) -> JsonValue:
    """Read one document.

    :raises NotYaml: it is none, or it is larger or deeper than can be read.
    """
    if len(text) > MOST_CHARACTERS:
        raise NotYaml(f"longer than {MOST_CHARACTERS} characters")
    try:
        loader = _CoreLoader(text)
        try:
            node = loader.get_single_node()
            return None if node is None else _Builder().value(node)
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise NotYaml(str(error)) from error
