"""YAML as JSON values: the core schema of YAML 1.2, in which yes, on and dates are texts.

Source: YAML 1.2.2, 10.3.2 (core schema, tag resolution).
"""

from __future__ import annotations

import re
from itertools import count

import yaml

from pytest_mcp_conformance.json_values import JsonValue
from pytest_mcp_conformance.reference.client.failing import ClientFailure

MAX_DEPTH, MAX_VALUES = 50, 10_000
PLAIN = (
    (re.compile(r"(?:null|Null|NULL|~|)"), lambda _text: None),
    (re.compile(r"true|True|TRUE"), lambda _text: True),
    (re.compile(r"false|False|FALSE"), lambda _text: False),
    (re.compile(r"[-+]?[0-9]{1,300}"), int),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"), float),
)


def read_yaml(text: str) -> JsonValue:
    """Read one YAML document.

    :raises ClientFailure: it is none, or larger than any frontmatter.
    """
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        return None if node is None else _value(node, count(), depth=0)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ClientFailure(f"the frontmatter is not YAML: {error}") from error


def _value(node: yaml.Node, counted: count[int], *, depth: int) -> JsonValue:
    if depth > MAX_DEPTH or next(counted) > MAX_VALUES:  # a few aliases can stand for any number of values
        raise ValueError("too many values")
    match node:
        case yaml.MappingNode():
            return {str(key.value): _value(value, counted, depth=depth + 1) for key, value in node.value}
        case yaml.SequenceNode():
            return [_value(each, counted, depth=depth + 1) for each in node.value]
        case _:
            return _scalar(node)


def _scalar(node: yaml.Node) -> JsonValue:
    text = str(node.value)
    if getattr(node, "style", None) is not None:  # quoted, or a block
        return text
    return next((read(text) for pattern, read in PLAIN if pattern.fullmatch(text)), text)
