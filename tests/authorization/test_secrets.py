"""Secret of the client, code, code verifier and tokens are in no output, also where the server repeats them everywhere."""

from __future__ import annotations

import asyncio
import base64
import html
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, quote, quote_plus, urlencode, urlsplit

import pytest

from pytest_mcp_conformance.authorization import FollowedConsent
from pytest_mcp_conformance.model import Ending
from pytest_mcp_conformance.outcome_json import packed
from pytest_mcp_conformance.protocol.recorder import REDACTED
from pytest_mcp_conformance.serving.hosting import local_socket
from tests.authorization.runs import CODE_GRANT, METADATA, run, settings
from tests.authorization.scripted import WELL_KNOWN, Asked, Scripted, Told, metadata, scripted

CLIENT_SECRET = 'my s3cr3t/"+ä'
CODE = "c0de s3cr3t/+%"
TOKENS = {
    "access_token": "access-s3cr3t-0123456789",
    "refresh_token": "refresh-s3cr3t-0123456789",
    "id_token": "id-s3cr3t-0123456789",
    "token_type": "Bearer",
    "expires_in": 60,
    "extra": {"deep": ["deep-s3cr3t-0123456789"]},
}
MARK = "s3cr3t"
Answer = Callable[[Asked], Told]
ENCODED = base64.b64encode(f"me:{quote(CLIENT_SECRET, safe='')}".encode()).decode()


def consenting(asked: Asked) -> Told:
    parameters = urlencode({"code": CODE, "state": asked.parameter("state"), "access_token": TOKENS["access_token"]})
    return Told(status=302, headers={"Location": f"{asked.parameter('redirect_uri')}?{parameters}"})


def everything(asked: Asked) -> str:
    """Return all that a token request brought, in every way that one may write it."""
    known = [CLIENT_SECRET, CODE, asked.parameter("code_verifier"), asked.headers.get("Authorization", "")]
    spelled = [form(each) for each in known for form in (str, quote, quote_plus, json.dumps)]
    return " ".join([*spelled, asked.body])


def good(asked: Asked) -> Told:
    return Told(headers={"Set-Cookie": f"a={TOKENS['access_token']}"}, body=TOKENS)


def repeating(asked: Asked) -> Told:
    return Told(status=400, body={"error": everything(asked), "error_description": everything(asked)})


def repeating_as_text(asked: Asked) -> Told:
    return Told(status=500, headers={"Content-Type": "text/plain"}, body=everything(asked))


def form(asked: Asked) -> Told:
    return Told(body=urlencode({**TOKENS, "state": everything(asked)}))


def a_list(asked: Asked) -> Told:
    return Told(body=[TOKENS, everything(asked)])


def half(asked: Asked) -> Told:
    return Told(headers={"Content-Length": "100000"}, body=TOKENS)


def created(asked: Asked) -> Told:
    return Told(status=201, body={**TOKENS, "token_type": 7})


def refused(asked: Asked) -> Told:
    return Told(status=400, body={**TOKENS, "extra": None, "error": html.escape(everything(asked))})


ANSWERS = [good, repeating, repeating_as_text, form, a_list, half, created, refused]


def verifiers(server: Scripted) -> list[str]:
    return [verifier for each in server.to("/token") if (verifier := each.parameter("code_verifier"))]


def leaked(text: str, server: Scripted) -> list[str]:
    """Return what of the secrets stands in `text`."""
    texts = [MARK, MARK.replace("3", "%33"), ENCODED, *verifiers(server)]
    return [text[max(0, at - 40) : at + 40] for each in texts if (at := text.find(each)) >= 0]


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
@pytest.mark.parametrize("answer", ANSWERS)
async def test_no_outcome_has_a_secret_in_it(answer: Answer, method: str) -> None:
    script = {
        WELL_KNOWN: metadata(token_endpoint_auth_methods_supported=[method]),
        "/authorize": consenting,
        "/token": answer,
    }
    with scripted(script) as server:
        outcome = await run(CODE_GRANT, settings(server.url, client_id="me", client_secret=CLIENT_SECRET))
    assert len(verifiers(server)) == 1
    assert outcome.ending is (Ending.PASSED if answer is good else Ending.FAILED), outcome.reason
    assert leaked(packed(outcome), server) == []
    assert REDACTED in packed(outcome)


async def test_a_secret_in_the_metadata_is_blotted_out_too() -> None:
    with scripted({WELL_KNOWN: metadata(client_secret="a-s3cr3t-of-mine", issuer="a-s3cr3t-of-mine")}) as server:
        outcome = await run(METADATA, settings(server.url, client_secret="a-s3cr3t-of-mine"))
    assert outcome.ending is Ending.FAILED
    assert MARK not in packed(outcome)


@pytest.mark.parametrize("secret", ["abc", "1"])
async def test_a_short_secret_is_blotted_out_where_its_name_stands_before_it(secret: str) -> None:
    post = metadata(token_endpoint_auth_methods_supported=["client_secret_post"])
    with scripted({WELL_KNOWN: post, "/token": lambda _: Told(body=TOKENS)}) as server:
        outcome = await run(CODE_GRANT, settings(server.url, client_secret=secret))
    assert server.to("/token")[0].parameter("client_secret") == secret
    assert f"client_secret={secret}" not in packed(outcome)


@pytest.mark.parametrize("answer", [good, repeating])
def test_a_run_of_pytest_shows_and_writes_no_secret(tmp_path: Path, answer: Answer) -> None:
    """As a user runs it: settings in a file, the address printed, results on disk."""
    script = {WELL_KNOWN: metadata(), "/authorize": consenting, "/token": answer}
    with scripted(script) as server:
        file = tmp_path / "settings.json"
        content = {"url": server.url, "clientId": "me", "clientSecret": CLIENT_SECRET, "port": _port()}
        file.write_text(json.dumps(content))
        code, said = _pytest(tmp_path, f"--mcp-authorization={file}", f"{server.url}/authorize?")
    file.unlink()
    written = [path.read_text() for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert code == (0 if answer is good else 1), said
    assert len(verifiers(server)) >= 1
    assert any(CODE_GRANT in text for text in written)
    assert leaked("".join([said, *written]), server) == []


def _pytest(folder: Path, option: str, printed: str) -> tuple[int, str]:
    """Run pytest and visit the address that it prints; return its exit code and all that it said."""
    command = [sys.executable, "-m", "pytest", "-vv", "-rA", "-p", "no:cacheprovider", option]
    command += [f"--mcp-results-dir={folder / 'results'}", f"--junitxml={folder / 'junit.xml'}"]
    said = []
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if line.startswith(printed):
                uri = parse_qs(urlsplit(line.strip()).query)["redirect_uri"][0]
                asyncio.run(FollowedConsent().give(line.strip(), client_id="me", redirect_uri=uri))
    return process.returncode, "".join(said)


def _port() -> int:
    with local_socket() as sock:
        port: int = sock.getsockname()[1]
        return port
