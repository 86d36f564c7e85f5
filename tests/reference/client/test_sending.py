"""The place that every request passes: credentials go with each, and what was refused is sent again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx
import pytest

from pytest_mcp_conformance.reference.client.authorizing import LaterAuthorizer, Refused
from pytest_mcp_conformance.reference.client.sending import MAX_TIMES, HttpSender

URL = "http://mcp.test/"


@dataclass
class Obtaining:
    """Has no credentials until it is asked; then another one each time."""

    says: bool = True
    refused: list[Refused] = field(default_factory=list)

    def headers(self, method: str, url: str) -> Mapping[str, str]:
        """See `Authorizer.headers`."""
        return {"Authorization": f"Bearer {method} {url} {len(self.refused)}"} if self.refused else {}

    async def authorize(self, refused: Refused) -> bool:
        """See `Authorizer.authorize`."""
        self.refused.append(refused)
        return self.says


def sent_through(authorizer: Obtaining | None, answer: Callable[[httpx.Request], httpx.Response]) -> tuple[int, bytes]:
    async def send() -> tuple[int, bytes]:
        async with (
            httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http,
            HttpSender(http, URL, authorizer).open("POST", {"X": "1"}, b"body") as response,
        ):
            return response.status_code, await response.aread()

    return asyncio.run(send())


def guarded(request: httpx.Request) -> httpx.Response:
    if "authorization" in request.headers:
        said = f"{request.headers['authorization']} {request.headers['x']} {request.content.decode()}"
        return httpx.Response(200, text=said)
    challenges = [("WWW-Authenticate", "Bearer"), ("WWW-Authenticate", "DPoP")]
    return httpx.Response(401, headers=challenges, content=b"who are you?")


def test_a_refused_request_is_sent_again_with_credentials() -> None:
    authorizer = Obtaining()
    assert sent_through(authorizer, guarded) == (200, f"Bearer POST {URL} 1 1 body".encode())
    (refused,) = authorizer.refused
    assert (refused.url, refused.status, refused.body, refused.times) == (URL, 401, b"who are you?", 1)
    assert refused.headers.get_list("www-authenticate") == ["Bearer", "DPoP"]
    assert refused.authorization is None


def test_a_refusal_is_final_when_the_authorizer_says_so() -> None:
    assert sent_through(Obtaining(says=False), guarded) == (401, b"who are you?")


def test_a_refusal_is_final_without_an_authorizer() -> None:
    assert sent_through(None, guarded) == (401, b"who are you?")


def test_a_request_is_not_sent_again_for_ever() -> None:
    authorizer = Obtaining()
    assert sent_through(authorizer, lambda _request: httpx.Response(403)) == (403, b"")
    assert [refused.times for refused in authorizer.refused] == list(range(1, MAX_TIMES))
    assert authorizer.refused[-1].authorization == f"Bearer POST {URL} {MAX_TIMES - 2}"


@pytest.mark.parametrize("status", [200, 400, 404, 500])
def test_other_answers_are_nobody_elses_business(status: int) -> None:
    authorizer = Obtaining()
    assert sent_through(authorizer, lambda _request: httpx.Response(status))[0] == status
    assert authorizer.refused == []


def test_an_authorizer_is_made_when_it_is_needed() -> None:
    made: list[Obtaining] = []

    def make() -> Obtaining:
        made.append(Obtaining())
        return made[-1]

    later = LaterAuthorizer(make)
    assert (later.headers("POST", URL), made) == ({}, [])
    refused = Refused(url=URL, status=401, headers=httpx.Headers(), body=b"", authorization=None, times=1)
    assert asyncio.run(later.authorize(refused))
    assert later.headers("GET", URL) == {"Authorization": f"Bearer GET {URL} 1"}
    assert later.load() is made[0]
    assert len(made) == 1
