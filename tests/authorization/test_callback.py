"""The address that the browser comes back to: what it takes, what it leaves, and what follows from that."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from pytest_mcp_conformance.authorization import PrintedConsent
from pytest_mcp_conformance.authorization.callback import listening
from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.model import Ending
from pytest_mcp_conformance.reference.authorization import running_authorization_server
from tests.authorization.runs import CODE_GRANT, run, settings

Answer = Callable[[str, str], str]  # from redirect URI and state to the address that the browser is sent to


class Sent:
    """A user whose browser makes the requests that it is told, and nothing else."""

    def __init__(self, *answers: Answer, within: float = 5.0) -> None:
        self.within = within
        self.statuses: list[int] = []
        self._answers = answers

    async def give(self, url: str, *, client_id: str, redirect_uri: str) -> None:
        """See `Consent.give`."""
        state = parse_qs(urlsplit(url).query)["state"][0]
        async with httpx.AsyncClient() as browser:
            for answer in self._answers:
                self.statuses.append((await browser.get(answer(redirect_uri, state))).status_code)


def with_parameters(*pairs: tuple[str, str]) -> Answer:
    return lambda uri, state: f"{uri}?{urlencode([(name, value.replace('STATE', state)) for name, value in pairs])}"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        pytest.param(with_parameters(("code", "abcdef"), ("state", "another")), "another state", id="another-state"),
        pytest.param(with_parameters(("code", "abcdef"), ("state", "")), "another state", id="empty-state"),
        pytest.param(with_parameters(("code", "abcdef")), "0 times state", id="no-state"),
        pytest.param(with_parameters(("state", "STATE")), "0 times code", id="no-code"),
        pytest.param(with_parameters(("code", ""), ("state", "STATE")), "an empty code", id="empty-code"),
        pytest.param(
            with_parameters(("code", "a"), ("code", "b"), ("state", "STATE")), "2 times code", id="code-twice"
        ),
        pytest.param(
            with_parameters(("error", "access_denied"), ("error_description", "no")),
            'error "access_denied": "no"',
            id="error",
        ),
        pytest.param(with_parameters(("error", "")), 'error ""', id="empty-error"),
        pytest.param(lambda uri, _: uri, "0 times state", id="nothing"),
        pytest.param(lambda uri, _: f"{uri}?%ff%00=%zz&&&=;", "0 times state", id="junk"),
        pytest.param(
            lambda uri, state: f"{uri}?state={state}&{'&'.join(['a=b'] * 199)}",
            "200 parameters, of which at most 100 are read",
            id="too-many",
        ),
    ],
)
async def test_no_token_is_asked_for_with_a_redirect_that_is_not_right(answer: Answer, told: str) -> None:
    with running_authorization_server() as url:
        outcome = await run(CODE_GRANT, settings(url), consent=Sent(answer))
    failed = [check for check in outcome.checks if check.id == CODE_GRANT]
    assert [(check.status.value, check.got) for check in failed] == [("FAILURE", told)]
    assert not [entry for entry in outcome.transcript if isinstance(entry, dict) and entry.get("method") == "POST"]


async def test_junk_that_comes_before_the_redirect_does_not_use_it_up() -> None:
    stray = [lambda uri, _, each=each: uri.replace("/callback", each) for each in ("/", "/favicon.ico", "/callback/a")]
    user = Sent(*stray, with_parameters(("error", "access_denied")), with_parameters(("state", "late")))
    with running_authorization_server() as url:
        outcome = await run(CODE_GRANT, settings(url), consent=user)
    assert outcome.checks[-1].got == 'error "access_denied"'
    assert user.statuses[:4] == [404, 404, 404, 200]


async def test_a_redirect_that_never_comes_is_told_with_what_came_instead() -> None:
    user = Sent(lambda uri, _: uri.replace("/callback", "/favicon.ico"), within=0.5)
    with running_authorization_server() as url:
        outcome = await run(CODE_GRANT, settings(url), consent=user)
    assert outcome.ending is Ending.FAILED
    got = "nobody came back from the authorization endpoint: none; 1 other requests came there"
    assert [(check.id, check.got) for check in outcome.checks] == [(CODE_GRANT, got)]


async def test_the_time_of_the_user_does_not_count_for_the_server() -> None:
    """A person may take longer than the timeout of the scenario."""
    user = Sent(with_parameters(("error", "access_denied")), within=30.0)
    give = user.give

    async def late(url: str, *, client_id: str, redirect_uri: str) -> None:
        await asyncio.sleep(1.0)  # the time that passes is the fact here
        await give(url, client_id=client_id, redirect_uri=redirect_uri)

    user.give = late  # type: ignore[method-assign]
    with running_authorization_server() as url:
        outcome = await run(CODE_GRANT, settings(url), consent=user, within=0.8)
    assert outcome.checks[-1].got == 'error "access_denied"'


async def test_a_port_that_is_taken_says_nothing_about_the_server() -> None:
    with running_authorization_server() as url, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = await run(CODE_GRANT, settings(url, port=port))
    assert (outcome.ending, outcome.checks) == (Ending.COULD_NOT_RUN, ())
    assert outcome.reason is not None
    assert outcome.reason.startswith(f"nothing can listen on port {port} of this machine (Address already in use).")


async def test_only_a_get_is_a_redirect_and_only_the_first() -> None:
    async with listening(0) as callback, httpx.AsyncClient() as browser:
        uri = callback.redirect_uri
        answers = [
            (await browser.head(f"{uri}?code=a")).status_code,
            (await browser.post(uri, data={"code": "a"})).status_code,
            (await browser.get(uri.replace("callback", "%63allback"))).status_code,
            (await browser.get(f"{uri.upper().replace('HTTP', 'http')}/?code=first")).status_code,
            (await browser.get(f"{uri}?code=second")).status_code,
        ]
        redirect = await callback.redirect()
    assert answers == [405, 405, 404, 200, 410]
    assert (redirect.path, redirect.values("code")) == ("/CALLBACK/", ["first"])


async def test_it_listens_until_the_end_and_no_longer() -> None:
    async with listening(0) as callback:
        port = int(callback.redirect_uri.rpartition(":")[2].partition("/")[0])
    async with listening(port) as again:
        assert again.redirect_uri == callback.redirect_uri
    with pytest.raises(PeerUnreachable), socket.create_server(("127.0.0.1", port)):
        async with listening(port):
            pass


async def test_a_person_is_told_what_to_register_and_what_to_open() -> None:
    lines: list[str] = []
    with running_authorization_server() as url:
        outcome = await run(CODE_GRANT, settings(url), consent=PrintedConsent(lines.append, within=0.3))
    assert outcome.ending is Ending.FAILED
    assert lines[0] == ""
    assert lines[1].startswith("The redirect URI http://127.0.0.1:")
    assert lines[1].endswith('/callback must be registered for the client "reference-public-client".')
    assert [line for line in lines if line.startswith(f"{url}/authorize?response_type=code&client_id=")] == [lines[4]]
