"""How a fault deforms a message, or refuses a request: rows for the tables beside this file."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeAlias

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object
from pytest_mcp_conformance.serving.incoming import Request
from pytest_mcp_conformance.serving.refusals import Refusal


@dataclass(frozen=True, kw_only=True)
class Named:
    """The entry of a list that has this name."""

    name: str


Step: TypeAlias = str | int | Named


@dataclass(frozen=True, kw_only=True)
class Spoiled:
    """One message that is deformed.

    :ivar method: of the request it answers; none for all methods.
    :ivar name: of the tool or prompt, or URI of the resource, that the request is about, as a glob.
    :ivar code: of the error it is; none for every answer.
    :ivar has: a member that the message or its result must have to be meant.
    :ivar at: the place in the message.
    :ivar to: what stands there instead.
    :ivar removed: whether the place is to be empty.
    :ivar status: the HTTP status instead of the right one.
    """

    method: str | None = None
    name: str = "*"
    code: int | None = None
    has: str | None = None
    at: tuple[Step, ...] = ()
    to: JsonValue = None
    removed: bool = False
    status: int | None = None

    def concerns(self, method: str, name: str | None, message: JsonObject) -> bool:
        """Tell whether this is the message."""
        return (
            self.method in (None, method)
            and fnmatchcase(name or "", self.name)
            and (self.has is None or self.has in message or self.has in as_object(message.get("result")))
            and (self.code is None or as_object(message.get("error")).get("code") == self.code)
        )

    def deform(self, message: JsonObject) -> JsonObject:
        """Return a deformed copy of `message`; without the place it stays as it is."""
        made = copy.deepcopy(message)
        parent: JsonValue = made
        for step in self.at[:-1]:
            parent = _entry(parent, step)
        last = self.at[-1] if self.at else None
        if isinstance(last, Named) and isinstance(parent, list):
            found = _entry(parent, last)
            last = parent.index(found) if found is not None else None
        match parent, last:
            case dict(), str() if self.removed:
                parent.pop(last, None)
            case dict(), str():
                parent[last] = self.to
            case list(), int() if last < len(parent):
                parent[last : last + 1] = [] if self.removed else [self.to]
            case _:
                pass
        return made


def _entry(value: JsonValue, step: Step) -> JsonValue:
    if isinstance(step, Named) and isinstance(value, list):
        return next((entry for entry in value if step.name in (_name(entry), _uri(entry))), None)
    if isinstance(step, str):
        return as_object(value).get(step)
    if isinstance(step, int) and isinstance(value, list) and step < len(value):
        return value[step]
    return None


def _name(entry: JsonValue) -> JsonValue:
    return as_object(entry).get("name")


def _uri(entry: JsonValue) -> JsonValue:
    return as_object(entry).get("uri")


@dataclass(frozen=True, kw_only=True)
class Refused:
    """One request that is refused instead of answered.

    :ivar name: of the tool or prompt that it is about; none for all of them.
    :ivar having: a parameter that it must have to be meant.
    """

    method: str
    refusal: Refusal
    name: str | None = None
    having: str | None = None

    def concerns(self, request: Request) -> bool:
        """Tell whether this is the request."""
        meant = self.having is None or self.having in request.params
        return meant and request.method == self.method and self.name in (None, subject(request))


def subject(request: Request) -> str | None:
    """Return the name of the tool or prompt, or the URI of the resource, that `request` is about."""
    found = request.params.get("name", request.params.get("uri"))
    return found if isinstance(found, str) else None


def deformed(rows: Iterable[Spoiled], method: str, name: str | None, message: JsonObject) -> JsonObject:
    """Return `message` after all rows that concern it."""
    for row in rows:
        if row.at and row.concerns(method, name, message):
            message = row.deform(message)
    return message
