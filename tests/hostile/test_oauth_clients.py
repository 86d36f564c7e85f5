"""Clients that are broken where they ask for authorization.

Each is judged, none is followed, and none holds up or breaks a run.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import shlex
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from joserfc.jwk import ECKey

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Ending, Leg, Status
from pytest_mcp_conformance.oauth import keys
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import run_client_scenario
from pytest_mcp_conformance.targets.client_command import CommandClient
from tests.hostile.runs import ROOT, STATELESS, fit_to_show, is_about_the_harness, said
from tests.oauth.making import token
from tests.scenarios.client.auth.small_clients import Found
from tests.scenarios.client.auth.small_clients import outcome as small_outcome
from tests.scenarios.client.auth.visitor import Visitor, outcome

PROGRAM = Path(__file__).with_name("broken_oauth_clients.py")
MEGABYTE = 1024 * 1024
MOST_BYTES = 250 * MEGABYTE  # of the whole process; an orderly run takes about 60
PATIENCE = 30.0  # seconds of a client that comes to its end by itself
HANGS = 1.5  # of one that does not; it has to read two documents before
CLOSING = 3.0  # that a run may take beyond its client
METADATA = "auth/metadata-default"
STALE_SECONDS = 10**9


def line(behaviour: str) -> str:
    """Return the command of a broken client."""
    return shlex.join([sys.executable, "-I", "-S", str(PROGRAM), behaviour])


# Too much, and not enough.


@pytest.mark.parametrize(
    ("behaviour", "longest"),
    [
        ("asks_for_10000_tokens", 12.0),
        ("asks_with_100000_values", 5.0),
        ("registers_3_megabytes_20_times", 5.0),
        ("presents_tokens_of_a_megabyte", 5.0),
    ],
)
def test_none_takes_much_memory_or_time(behaviour: str, longest: float) -> None:
    program = [sys.executable, "-m", "tests.hostile.measured_client_run", line(behaviour), STATELESS, METADATA]
    told = json.loads(subprocess.run(program, cwd=ROOT, capture_output=True, check=True).stdout)
    assert told["ending"] == "failed", told["said"]
    assert told["bytes"] < MOST_BYTES
    assert told["processor_seconds"] < longest


@pytest.mark.parametrize("behaviour", ["sends_half_requests_and_hangs", "sends_a_body_byte_by_byte_and_hangs"])
async def test_what_never_ends_ends_with_the_client(behaviour: str) -> None:
    started = time.monotonic()
    scenario = scenarios(Leg.CLIENT)[METADATA]
    found = await run_client_scenario(scenario, STATELESS, CommandClient(line(behaviour), grace=0.2), timeout=HANGS)
    assert found.ending is Ending.FAILED, found.reason
    assert "authorization-request FAILURE: expected a request, got " in said(found)
    assert time.monotonic() - started < HANGS + CLOSING


# Somewhere else.


@asynccontextmanager
async def counting() -> AsyncIterator[tuple[str, list[str]]]:
    """Listen on this machine; give the address, and the list in which every connection leaves a line."""
    came: list[str] = []

    async def take(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(str(writer.get_extra_info("peername")))
        writer.close()

    listening = await asyncio.start_server(take, "127.0.0.1", 0)
    async with listening:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", came


async def test_no_address_that_a_client_names_is_visited() -> None:
    async with counting() as (there, came):

        async def visit(visitor: Visitor) -> None:
            await visitor.ask()
            await visitor.look_up()
            names = (
                "jwks_uri",
                "logo_uri",
                "client_uri",
                "tos_uri",
                "policy_uri",
                "sector_identifier_uri",
                "request_uri",
            )
            await visitor.register(redirect_uris=[f"{there}/cb"], **{name: f"{there}/{name}" for name in names})
            visitor.client = {"client_id": f"{there}/client.json"}
            back = await visitor.authorize(
                redirect_uri=f"{there}/cb", request_uri=f"{there}/r", resource=f"{there}/mcp", iss=there
            )
            header: JsonObject = {"alg": "ES256", "jku": f"{there}/keys", "x5u": f"{there}/chain"}
            signed = token(header, {"iss": f"{there}/client.json", "aud": there}, ECKey.generate_key("P-256"))
            await visitor.redeem(back["code"], redirect_uri=f"{there}/cb", client_assertion=signed, assertion=signed)
            headers = {"authorization": f"DPoP {signed}", "dpop": signed, "referer": there, "origin": there}
            await visitor.http.post(visitor.call.url, json={}, headers=headers)

        for name in ("basic-cimd", "offline-access-scope", "metadata-default"):
            assert (await outcome(name, visit)).ending is Ending.FAILED
        assert came == []


REDIRECT_URIS = (
    "javascript:alert(1)",
    "data:text/html,<script>",
    "file:///etc/passwd",
    "https://evil.example/cb",
    "http://localhost:3000@evil.example/cb",
    "http://evil.example\\@localhost/cb",
    "http://user:password@localhost/cb",
    "http://169.254.169.254/latest/meta-data",
    "http://localhost:99999/cb",
    "//evil.example/cb",
    "/cb",
    "http:cb",
    "http://[::1/cb",
    "http://localhost/cb#fragment",
    "http://localhost/cb\r\nSet-Cookie: a=b",
    "http://localhost/cb\0",
    "http://localhost/\u202e\ud7ff\U0001f600",
    "x" * 30_000,
    f"http://localhost/{'x' * 20_000}",
)


async def head_of(url: str) -> list[str]:
    """Return the lines of the head of what stands at `url`, names in lower case."""
    _, _, host, path = url.split("/", 3)
    name, _, port = host.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    writer.write(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    status, *fields = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return [status, *(f"{each.partition(':')[0].lower()}:{each.partition(':')[2]}" for each in fields)]


@pytest.mark.parametrize("uri", REDIRECT_URIS, ids=lambda uri: quote(uri[:30], safe=""))
async def test_a_redirect_is_one_line_or_an_error(uri: str) -> None:
    """Where a browser goes is the client's own affair; what the harness answers is well formed."""

    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        query = {"redirect_uri": uri, "state": "a\r\nX-Evil: 1\0\u202e", "client_id": "\r\n\0", "code_challenge": "\0"}
        head = await head_of(f"{visitor.server['authorization_endpoint']}?{urlencode(query)}")
        assert head[0] in ("HTTP/1.1 302 ", "HTTP/1.1 400 ")
        assert all(each.isascii() and each.isprintable() for each in head)
        names = [each.partition(":")[0] for each in head[1:]]
        assert len(names) == len(set(names))
        assert not {"x-evil", "set-cookie"} & set(names)
        assert ("location" in names) is (head[0] == "HTTP/1.1 302 ")

    found = await outcome("metadata-default", visit)
    assert found.ending is Ending.FAILED
    assert fit_to_show(found)
    assert not is_about_the_harness(found)


async def test_a_redirect_to_the_authorization_endpoint_comes_to_an_end() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.ask()
        await visitor.look_up()
        endpoint = uri = visitor.server["authorization_endpoint"]
        for _ in range(4):
            uri = f"{endpoint}?redirect_uri={quote(uri, safe='')}"
        statuses = []
        while uri:
            answer = await visitor.http.get(uri)
            statuses.append(answer.status_code)
            uri = answer.headers.get("location", "")
        assert statuses == [302, 302, 302, 302, 400]

    assert (await outcome("metadata-default", visit)).ending is Ending.FAILED


# Forged.


def jwt_part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def by_secret(claims: JsonObject, secret: bytes) -> str:
    """Sign with what is no secret, as no library lets one."""
    signed = f"{jwt_part({'alg': 'HS256'})}.{jwt_part(claims)}"
    digest = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def forgeries(claims: JsonObject, private_key: ECKey, other: ECKey) -> dict[str, str]:
    """Return tokens that say what a good one says, and are none."""
    public = private_key.as_pem(private=False)
    good = token({"alg": "ES256"}, claims, private_key)
    head, body, signature = good.split(".")
    with_key: JsonObject = {"alg": "ES256", "jwk": keys.public_jwk(other), "kid": "../../etc/passwd"}
    return {
        "no signature": f"{jwt_part({'alg': 'none'})}.{jwt_part(claims)}.",
        "no signature, spelled otherwise": f"{jwt_part({'alg': 'nOnE'})}.{jwt_part(claims)}.{signature}",
        "the public key as a secret": by_secret(claims, public),
        "a key of its own in the header": token(with_key, claims, other),
        "a signature of zeros": f"{head}.{body}.{'A' * 86}",
        "no signature behind the dot": f"{head}.{body}.",
        "two signatures": f"{good}.{signature}",
        "over": token({"alg": "ES256"}, {**claims, "exp": int(time.time()) - STALE_SECONDS}, private_key),
        "over for ever": token({"alg": "ES256"}, {**claims, "exp": -(10**300)}, private_key),
        "not yet": token({"alg": "ES256"}, {**claims, "nbf": int(time.time()) + STALE_SECONDS}, private_key),
        "times that are none": token({"alg": "ES256"}, {**claims, "exp": "soon"}, private_key),
        "huge": token({"alg": "ES256"}, {**claims, "x": "x" * 200_000}, private_key),
    }


async def test_no_forged_assertion_authenticates_a_client() -> None:
    answers: dict[str, int] = {}

    async def acting(found: Found) -> None:
        me, now = found.context["client_id"], int(time.time())
        claims: JsonObject = {"iss": me, "sub": me, "aud": found.server["issuer"], "iat": now, "exp": now + 60}
        key = ECKey.import_key(found.context["private_key_pem"])
        for name, forged in forgeries(claims, key, ECKey.generate_key("P-256")).items():
            form = {
                "grant_type": "client_credentials",
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion": forged,
            }
            answers[name] = (await found.token(form)).status_code

    found = await small_outcome("auth/client-credentials-jwt", acting)
    assert found.ending is Ending.FAILED, found.reason
    assert set(answers.values()) == {401}, answers
    decided = [check.status for check in found.checks if check.id == "client-credentials-jwt-verified"]
    assert decided == [Status.FAILURE] * len(answers)
    assert fit_to_show(found)


async def test_no_forged_proof_binds_a_token() -> None:
    answers: dict[str, int] = {}

    async def acting(found: Found) -> None:
        key, other = ECKey.generate_key("P-256"), ECKey.generate_key("P-256")
        claims: JsonObject = {"jti": "a", "htm": "POST", "htu": found.token_endpoint, "iat": int(time.time())}
        for name, forged in forgeries(claims, key, other).items():
            head, _, rest = forged.partition(".")
            header = json.loads(base64.urlsafe_b64decode(head + "=="))
            header |= {"typ": "dpop+jwt", "jwk": header.get("jwk", keys.public_jwk(key))}
            form = {"grant_type": "authorization_code", "code": "x"}
            answers[name] = (await found.token(form, dpop=f"{jwt_part(header)}.{rest}"[:60_000])).status_code

    found = await small_outcome("auth/dpop", acting)
    assert found.ending is Ending.FAILED, found.reason
    assert set(answers.values()) == {400}, answers
    [decided] = [check for check in found.checks if check.id == "sep-1932-client-token-request-proof"]
    assert decided.status is Status.FAILURE
    assert fit_to_show(found)
