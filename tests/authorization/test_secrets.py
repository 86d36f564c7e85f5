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
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus, urlencode, urlsplit

import pytest

from pytest_mcp_conformance.authorization import FollowedConsent
from pytest_mcp_conformance.json_values import as_object
from pytest_mcp_conformance.model import Ending, Outcome
from pytest_mcp_conformance.outcome_json import packed
from pytest_mcp_conformance.protocol.recorder import REDACTED
from pytest_mcp_conformance.serving.hosting import local_socket
from tests.authorization.runs import CODE_GRANT, METADATA, run, settings
from tests.authorization.scripted import WELL_KNOWN, Asked, Scripted, Told, metadata, scripted

CLIENT_SECRET = 'my s3cr3t/"+ä'
CODE = "c0de s3cr3t/+%"
ACCESS = "access-s3cr3t-0123456789"
TOKENS = {
    "access_token": ACCESS,
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


def refused_within(asked: Asked) -> Told:
    body = {"error": {"why": "x", "token": TOKENS["access_token"]}, "data": TOKENS, "message": everything(asked)}
    return Told(status=400, headers={"X-Debug": ACCESS}, body=body)


def refused_as_form(_: Asked) -> Told:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-Debug": ACCESS}
    return Told(status=400, headers=headers, body=urlencode({**TOKENS, "error": "x"}))


def refused_in_words(_: Asked) -> Told:
    said = f"your token is '{TOKENS['access_token']}'."
    return Told(status=401, headers={"Www-Authenticate": f'Bearer error="{said}"'}, body={"error_description": said})


def refused_by_code(_: Asked) -> Told:
    return Told(status=400, body={"error": TOKENS["access_token"], "token_type": [TOKENS], "scope": TOKENS["id_token"]})


def refused_as_page(_: Asked) -> Told:
    return Told(status=500, headers={"Content-Type": "text/html"}, body=f"<pre>token {TOKENS['access_token']}</pre>")


def redirected(_: Asked) -> Told:
    return Told(status=302, headers={"Location": f"/a?b={TOKENS['access_token']}#{TOKENS['id_token']}"})


ANSWERS: list[Answer] = [good, repeating, repeating_as_text, form, a_list, half, created, refused]
ANSWERS += [refused_within, refused_as_form, refused_in_words, refused_by_code, refused_as_page, redirected]


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


async def test_of_a_refusal_a_reader_sees_why() -> None:
    body = {"error": "invalid_grant", "error_description": f"The code {CODE} has expired.", "path": "/token"}
    with scripted({"/token": lambda _: Told(status=400, body=body)}) as server:
        outcome = await run(CODE_GRANT, settings(server.url))
    told = (
        '{"error": "invalid_grant", "error_description": "The code [redacted, len=4] [redacted, len=9] has expired.",'
        ' "path": "[redacted, len=6]"}'
    )
    assert outcome.checks[-1].got == f"the token request was answered with status 400 with {told}"
    assert f"of the token response: {told}" in [each["note"] for each in entries(outcome, "note")]
    assert entries(outcome, "request")[-1]["url"] == f"{server.url}/token"


@pytest.mark.parametrize(
    "carried",
    [
        {"error": "access_denied", "error_description": f"your code is {CODE}"},
        {"error": "access_denied", "error_description": f"code:{CODE}"},
        {"error": "access_denied", "error_uri": f"https://auth.example.com/{CODE}"},
        {"error": CODE, "error_description": "no"},
        {"error": "access_denied", "more": CODE},
        {"error": "access_denied", CODE: ""},
        {"error": "access_denied", "scope": CODE},
        {"state": CODE},
        {"state": "STATE", "iss": CODE},
        {"code": "abcdef", "state": "STATE", "iss": f"https://auth.example.com/{CODE}?a={CODE}#{CODE}"},
        {"code": "abcdef", "state": "STATE", **{f"p{number}": CODE for number in range(200)}},
    ],
    ids=str,
)
async def test_a_code_is_shown_in_no_parameter_of_a_redirect(carried: dict[str, str]) -> None:
    def answer(asked: Asked) -> Told:
        sent = {name: asked.parameter("state") if value == "STATE" else value for name, value in carried.items()}
        return Told(status=302, headers={"Location": f"{asked.parameter('redirect_uri')}?{urlencode(sent)}"})

    announced = metadata(authorization_response_iss_parameter_supported=True)
    with scripted({WELL_KNOWN: announced, "/authorize": answer, "/token": good}) as server:
        outcome = await run(CODE_GRANT, settings(server.url))
    assert outcome.ending is Ending.FAILED
    assert any(each["note"].startswith("the user came back to http://127.0.0.1:") for each in entries(outcome, "note"))
    assert leaked(packed(outcome), server) == []


async def test_of_another_issuer_what_differs_and_is_plain_is_shown() -> None:
    def answer(asked: Asked) -> Told:
        sent = {"code": CODE, "state": asked.parameter("state"), "iss": f"http://{asked.headers['Host']}/tenant/{CODE}"}
        return Told(status=302, headers={"Location": f"{asked.parameter('redirect_uri')}?{urlencode(sent)}"})

    with scripted({"/authorize": answer, "/token": good}) as server:
        outcome = await run(CODE_GRANT, settings(server.url))
    shown = f'iss is "{server.url}/tenant/[redacted, len=4] [redacted, len=6]/[redacted, len=2]" and not "{server.url}"'
    assert shown in (outcome.checks[-1].got or "")


@pytest.mark.parametrize("path", [WELL_KNOWN, "/token"])
async def test_cookies_are_in_no_output_also_where_they_are_repeated(path: str) -> None:
    cookies = "a=1; Path=/, session=c00kie-s3cr3t; Expires=Thu, 01 Jan 2099 00:00:00 GMT"

    def with_cookies(asked: Asked) -> Told:
        answer = (metadata(more="c00kie-s3cr3t") if path == WELL_KNOWN else good)(asked)
        return Told(headers={"Set-Cookie": cookies, "X-Debug": "c00kie-s3cr3t"}, body=answer.body)

    with scripted({"/token": good, path: with_cookies}) as server:
        outcome = await run(CODE_GRANT, settings(server.url))
    assert outcome.ending is Ending.PASSED
    heads = [as_object(each["headers"]) for each in entries(outcome, "response")]
    assert REDACTED in [head.get("set-cookie") for head in heads]
    assert leaked(packed(outcome), server) == []


@pytest.mark.parametrize("status", [404, 500])
async def test_cookies_of_a_url_without_metadata_are_in_no_output(status: int) -> None:
    with scripted({WELL_KNOWN: lambda _: Told(status=status, headers={"Set-Cookie": "a=c00kie-s3cr3t"})}) as server:
        outcome = await run(METADATA, settings(server.url))
    assert leaked(packed(outcome), server) == []


@pytest.mark.parametrize("line", [f"{ACCESS} 200 OK", f"HTTP/1.1 200 OK\r\n{ACCESS}\r\n\r\n", f"HTTP/1.1 {ACCESS}"])
async def test_what_is_no_http_is_not_repeated(line: str) -> None:
    """The message of the HTTP library has the line that it cannot read."""
    with local_socket() as listener:
        endpoint = f"http://127.0.0.1:{listener.getsockname()[1]}/token"

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"{line}\r\n\r\n".encode())
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(answer, sock=listener):
            with scripted({WELL_KNOWN: metadata(token_endpoint=endpoint)}) as server:
                outcome = await run(CODE_GRANT, settings(server.url))
    assert outcome.ending is Ending.FAILED
    assert "no proper HTTP answer came" in (outcome.checks[-1].got or "")
    assert leaked(packed(outcome), server) == []


def entries(outcome: Outcome, kind: str) -> list[Any]:
    return [each for each in outcome.transcript if as_object(each).get("kind") == kind]


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
