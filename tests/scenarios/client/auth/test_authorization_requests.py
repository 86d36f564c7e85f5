"""The authorization request: of the client that registered, for a code, to a redirect URI that it registered."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_mcp_conformance.oauth.redirect_uris import is_among
from tests.scenarios.client.auth.visitor import CALLBACK, Visitor, outcome, statuses

CHECK = "x-authorization-request-as-registered"
OTHER = "http://localhost:3000/other"
DOCUMENT = "https://conformance-test.local/client-metadata.json"


async def asked(
    scenario: str, changes: dict[str, Any], *, revision: str = "2025-11-25", **metadata: Any
) -> tuple[str, str]:
    """Return the status of the check, and what it says, of a client that registers `metadata` and asks with `changes`."""

    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        if metadata:
            await visitor.register(**metadata)
        await visitor.authorize(**changes)

    found = await outcome(scenario, visit, revision=revision)
    (check,) = [each for each in found.checks if each.id == CHECK]
    return check.status.value, check.got or ""


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"response_type": None}, "no response_type"),
        ({"response_type": ""}, "no response_type"),
        ({"response_type": "token"}, 'response_type "token"'),
        ({"response_type": "code id_token"}, 'response_type "code id_token"'),
        ({"client_id": None}, "no client_id"),
        ({"client_id": "another"}, 'client_id "another", which no registration gave'),
        ({"client_id": DOCUMENT}, ""),
        ({"client_id": "https://conformance-test.local/"}, "which no registration gave"),
        ({"client_id": "http://conformance-test.local/a"}, "which no registration gave"),
        ({"redirect_uri": None}, ""),  # exactly one is registered
        ({"redirect_uri": "http://localhost:4711/callback"}, ""),
        ({"redirect_uri": "http://localhost/callback"}, ""),
        ({"redirect_uri": OTHER}, f'redirect_uri "{OTHER}", which is not registered'),
        ({"redirect_uri": "http://127.0.0.1:3000/callback"}, "which is not registered"),
        ({"redirect_uri": [CALLBACK, OTHER]}, f'redirect_uri "{OTHER}", which is not registered'),
        ({"response_type": None, "redirect_uri": OTHER}, "no response_type, redirect_uri"),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("scenario", "revision"), [("metadata-default", "2025-11-25"), ("token-endpoint-auth-none", "2026-07-28")]
)
async def test_what_a_client_that_registered_asks_for(
    scenario: str, revision: str, changes: dict[str, Any], told: str
) -> None:
    status, got = await asked(scenario, changes, revision=revision, redirect_uris=[CALLBACK])
    assert status == ("FAILURE" if told else "SUCCESS")
    assert told in got


@pytest.mark.parametrize(
    ("registered", "changes", "status"),
    [
        ([CALLBACK, OTHER], {"redirect_uri": OTHER}, "SUCCESS"),
        ([CALLBACK, OTHER], {"redirect_uri": None}, "FAILURE"),
        ([], {}, "FAILURE"),
        ([7, None, CALLBACK], {}, "SUCCESS"),
        (None, {}, "FAILURE"),
        (CALLBACK, {}, "SUCCESS"),  # as a form has it
        ({"a": CALLBACK}, {}, "FAILURE"),
    ],
    ids=str,
)
async def test_what_was_registered_counts(registered: Any, changes: dict[str, Any], status: str) -> None:
    assert (await asked("metadata-default", changes, redirect_uris=registered))[0] == status


@pytest.mark.parametrize(
    ("scenario", "client_id"),
    [
        ("basic-cimd", DOCUMENT),
        ("pre-registration", "pre-registered-client"),
        ("scope-from-www-authenticate", "from-an-earlier-run"),
    ],
)
async def test_of_a_client_that_is_known_otherwise_redirect_uris_are_not_known_here(
    scenario: str, client_id: str
) -> None:
    whole = {"client_id": client_id, "redirect_uri": OTHER}
    assert (await asked(scenario, whole))[0] == "SUCCESS"
    assert (await asked(scenario, {**whole, "response_type": "token"}))[0] == "FAILURE"


async def test_a_client_that_was_given_an_id_may_use_it_although_it_registered() -> None:
    changes = {"client_id": "pre-registered-client"}

    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        visitor.server["registration_endpoint"] = f"{visitor.server['issuer']}/register"
        await visitor.register()
        await visitor.authorize(**changes)

    assert (await statuses("pre-registration", visit, revision="2025-11-25"))[CHECK] == "SUCCESS"
    changes["client_id"] = "another"
    assert (await statuses("pre-registration", visit, revision="2025-11-25"))[CHECK] == "FAILURE"


async def test_a_client_may_register_twice_and_use_either() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        await visitor.register(redirect_uris=[CALLBACK])
        first = visitor.client["client_id"]
        await visitor.register(redirect_uris=[OTHER])
        await visitor.authorize(client_id=first)
        await visitor.authorize(redirect_uri=OTHER)

    assert (await statuses("metadata-default", visit))[CHECK] == "SUCCESS"


async def test_a_client_may_leave_out_its_only_redirect_uri() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.enter(redirect_uri=None)
        await visitor.call_tool()

    found = await statuses("metadata-default", visit)
    assert {name for name, status in found.items() if status == "FAILURE"} == set()
    assert (found["token-request"], found["valid-bearer-token"], found[CHECK]) == ("SUCCESS",) * 3


@pytest.mark.parametrize(
    ("uri", "registered", "among"),
    [
        ("https://client.example/cb", "https://client.example/cb", True),
        ("https://client.example:443/cb", "https://client.example/cb", False),
        ("http://client.example:1/cb", "http://client.example:2/cb", False),
        ("com.example.app:/cb", "com.example.app:/cb", True),
        ("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", True),
        ("http://127.0.0.1/cb", "http://127.0.0.1:2/cb", True),
        ("http://[::1]:1/cb", "http://[::1]:2/cb", True),
        ("http://[::1]/cb", "http://[::1]:2/cb", True),
        ("http://127.0.0.1:1/cb", "http://localhost:1/cb", False),
        ("http://127.0.0.1:1/cb/", "http://127.0.0.1:1/cb", False),
        ("http://127.0.0.1:1/cb?a=b", "http://127.0.0.1:2/cb?a=c", False),
        ("http://127.0.0.1:99999/cb", "http://127.0.0.1:1/cb", False),
        ("http://[", "http://[", True),
    ],
)
def test_what_counts_as_registered(uri: str, registered: str, among: bool) -> None:  # noqa: FBT001 -- a column
    assert is_among(uri, [registered]) is among
