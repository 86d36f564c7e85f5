"""Which scopes are asked for at first, after a further challenge, and for offline access."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.reference.client.oauth.scopes import (
    Scopes,
    first_scopes,
    stepped_up,
    with_offline_access,
)


@pytest.mark.parametrize(
    ("challenged", "supported", "expected"),
    [
        (("a",), ("b", "c"), ("a",)),
        ((), ("b", "c"), ("b", "c")),
        ((), ("b", "b"), ("b",)),
        ((), (), ()),
    ],
)
def test_the_challenge_comes_before_what_is_supported(challenged: Scopes, supported: Scopes, expected: Scopes) -> None:
    assert first_scopes(challenged, supported) == expected


@pytest.mark.parametrize(
    ("requested", "challenged", "expected"),
    [
        (("a",), ("b",), ("a", "b")),
        (("a", "b"), ("b", "c"), ("a", "b", "c")),
        (("a",), (), ("a",)),
        ((), ("b",), ("b",)),
    ],
)
def test_what_was_asked_for_before_is_asked_for_again(requested: Scopes, challenged: Scopes, expected: Scopes) -> None:
    assert stepped_up(requested, challenged) == expected


@pytest.mark.parametrize(
    ("scopes", "offered", "expected"),
    [
        (("a",), ("a", "offline_access"), ("a", "offline_access")),
        (("a", "offline_access"), ("offline_access",), ("a", "offline_access")),
        (("a",), ("a",), ("a",)),
        ((), ("offline_access",), ()),
    ],
)
def test_offline_access_is_added_where_it_is_offered_and_something_is_asked_for(
    scopes: Scopes, offered: Scopes, expected: Scopes
) -> None:
    assert with_offline_access(scopes, offered) == expected
