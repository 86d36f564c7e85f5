"""The definitions of MCP's schema of one revision: judging a value by one of them, and which judges which message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pytest_mcp_conformance.bundled import schemas_folder
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, is_number
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.json_extent import beginning, extent
from pytest_mcp_conformance.protocol.library_reading import readable
from pytest_mcp_conformance.protocol.schema_formats import FORMATS
from pytest_mcp_conformance.protocol.schema_violations import Violation, told

if TYPE_CHECKING:
    from jsonschema_rs import Registry, Validator

ADDRESS = "mcp:schema"  # under which the definitions of one schema refer to each other; it is never fetched
VALUES_SEARCHED = 10_000  # in one value; each that is wrong costs the library up to 0.1 ms and 40 kB
ELEMENTS_SEARCHED = 101  # of each array in a larger value: more than any array of MCP may have


class Findings(NamedTuple):
    """What is wrong with a value, or the first of it."""

    violations: tuple[Violation, ...]
    all_of_them: bool


NOTHING_WRONG = Findings((), all_of_them=True)
TOO_LARGE = Violation((), f"does not fit, and is too large to be searched: more than {VALUES_SEARCHED} values")


@cache
def definitions(revision: Revision) -> Definitions:
    """Return the definitions of `revision`. They are read once."""
    return Definitions(json.loads((schemas_folder() / f"{revision}.json").read_bytes()))


class Definitions:
    """The definitions of one schema; the validator of each is built when it is first needed."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._keyword = "$defs" if "$defs" in document else "definitions"
        self.schemas: Mapping[str, JsonObject] = {
            name: as_object(schema) for name, schema in as_object(document[self._keyword]).items()
        }
        self._validators: dict[str, Validator] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.schemas

    def accepts(self, name: str, value: JsonValue) -> bool:
        """Tell whether `value` fits the definition `name`."""
        validator = self._validator(name)
        return _accepts_as_it_is(validator, value) or validator.is_valid(readable(value))

    def judge(self, name: str, value: JsonValue) -> Findings:
        """Find what is wrong with `value` by the definition `name`."""
        validator = self._validator(name)
        if _accepts_as_it_is(validator, value):
            return NOTHING_WRONG
        copy = readable(value)
        if validator.is_valid(copy):
            return NOTHING_WRONG
        if extent(copy).values <= VALUES_SEARCHED:
            return Findings(told(validator.iter_errors(copy), copy), all_of_them=True)
        first_part = beginning(copy, elements=ELEMENTS_SEARCHED)
        errors = validator.iter_errors(first_part) if extent(first_part).values <= VALUES_SEARCHED else ()
        return Findings(told(errors, copy) or (TOO_LARGE,), all_of_them=False)

    def _validator(self, name: str) -> Validator:
        known = self._validators.get(name)
        if known is not None:
            return known
        from jsonschema_rs import validator_for

        validator = validator_for(
            {"$schema": self._document["$schema"], "$ref": f"{ADDRESS}#/{self._keyword}/{name}"},
            registry=self._registry,
            formats={name: form.fits for name, form in FORMATS.items()},
            validate_formats=True,
            mask="the value",  # its own texts are not used: without this they would hold the value whole
        )
        self._validators[name] = validator
        return validator

    @cached_property
    def _registry(self) -> Registry:
        from jsonschema_rs import Registry

        return Registry([(ADDRESS, self._document)])


def _accepts_as_it_is(validator: Validator, value: JsonValue) -> bool:
    try:
        return validator.is_valid(value)
    except ValueError:  # a text that the library cannot read
        return False


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
