"""A fault of a reference implementation: a name, and what is done wrong under it."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class NamedFault(StrEnum):
    """One thing done wrong; `text` says what, in one sentence. Each reference has an enumeration of its own of them."""

    text: str

    def __new__(cls, name: str, text: str = "") -> Self:
        """Make a member that equals its name."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.text = text
        return member
