"""Scopes: a list of words in one text.

Specification: RFC 6749, 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable


def words(scope: str | None) -> tuple[str, ...]:
    """Return the scopes that `scope` lists, each once, in its order."""
    return tuple(dict.fromkeys(word for word in (scope or "").split(" ") if word.strip()))


def lacking(held: Iterable[str], needed: Iterable[str]) -> tuple[str, ...]:
    """Return which of the scopes `needed` are not among those held."""
    have = set(held)
    return tuple(scope for scope in needed if scope not in have)
