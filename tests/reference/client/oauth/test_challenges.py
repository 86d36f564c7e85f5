"""WWW-Authenticate is read as far as it can be read, and nothing in it raises."""

from __future__ import annotations

import random

import pytest

from pytest_mcp_conformance.reference.client.oauth.challenges import challenge_of, challenges

METADATA = "https://mcp.example/.well-known/oauth-protected-resource"


def read(*values: str) -> list[tuple[str, dict[str, str]]]:
    return [(each.scheme, dict(each.parameters)) for each in challenges(values)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Bearer", [("bearer", {})]),
        ('Bearer scope="a b"', [("bearer", {"scope": "a b"})]),
        ('BEARER Scope="a", error=invalid_token', [("bearer", {"scope": "a", "error": "invalid_token"})]),
        ('Bearer realm="a, b=c", scope="x"', [("bearer", {"realm": "a, b=c", "scope": "x"})]),
        (r'Bearer error_description="say \"when\" \\"', [("bearer", {"error_description": 'say "when" \\'})]),
        ('Bearer scope = "a" , error = x', [("bearer", {"scope": "a", "error": "x"})]),
        (
            'Basic realm="x", Bearer scope="a", DPoP algs="ES256"',
            [("basic", {"realm": "x"}), ("bearer", {"scope": "a"}), ("dpop", {"algs": "ES256"})],
        ),
        ("Negotiate abc==, Bearer", [("negotiate", {}), ("bearer", {})]),
        (f"Bearer resource_metadata={METADATA}", [("bearer", {"resource_metadata": METADATA})]),
        ('Bearer scope="first", scope="second"', [("bearer", {"scope": "first"})]),
        ('Bearer a="1" b="2"', [("bearer", {"a": "1", "b": "2"})]),
        (',, Bearer ,, scope="a",,', [("bearer", {"scope": "a"})]),
    ],
)
def test_challenges_are_read(value: str, expected: list[tuple[str, dict[str, str]]]) -> None:
    assert read(value) == expected


def test_several_fields_are_several_challenges() -> None:
    assert read('Basic realm="x"', 'Bearer scope="a"') == [("basic", {"realm": "x"}), ("bearer", {"scope": "a"})]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", []),
        (" , ", []),
        ("=", []),
        ('="x", Bearer', [("bearer", {})]),
        ('Bearer scope="never closed', [("bearer", {})]),
        ('Bearer "loose", scope="a"', [("bearer", {"scope": "a"})]),
        ("Bearer (comment), scope=a", [("bearer", {"scope": "a"})]),
        ("é, Bearer", [("bearer", {})]),
        ("\x00\x01, Bearer", [("bearer", {})]),
    ],
)
def test_junk_is_passed_over_up_to_the_next_comma(value: str, expected: list[tuple[str, dict[str, str]]]) -> None:
    assert read(value) == expected


def test_nothing_raises_and_everything_ends() -> None:
    dice = random.Random(9110)
    for _ in range(3000):
        value = "".join(dice.choice(' ,="\\aBé\t\x00()') for _ in range(dice.randrange(40)))
        for scheme, parameters in read(value):
            assert scheme == scheme.lower()
            assert all(name == name.lower() for name in parameters)
    assert len(read("Bearer " + 'a="' * 5000)) == 1
    assert len(read("Bearer " + "\\" * 5000 + '"' * 5000)) == 1


def test_the_challenge_that_is_answered_is_one_of_oauth_that_says_something() -> None:
    chosen = challenge_of(['Basic realm="scope", Bearer, DPoP algs="ES256"', f'Bearer resource_metadata="{METADATA}"'])
    assert chosen.resource_metadata == METADATA
    assert challenge_of(['DPoP algs="ES256"']).scheme == "dpop"


def test_without_a_challenge_there_is_an_empty_one() -> None:
    chosen = challenge_of(["Basic realm=x", "Negotiate"])
    assert (chosen.scheme, chosen.scopes, chosen.resource_metadata, chosen.error) == ("bearer", (), None, None)


def test_empty_parameters_say_nothing() -> None:
    chosen = challenge_of(['Bearer scope="", resource_metadata=""'])
    assert (chosen.scopes, chosen.resource_metadata) == ((), None)


def test_scopes_are_separated_by_any_white_space() -> None:
    assert challenge_of(['Bearer scope=" a  b "']).scopes == ("a", "b")
