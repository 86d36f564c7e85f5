"""The settings file, and what is given beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_mcp_conformance.authorization import AuthorizationSettings, Given, authorization_settings
from pytest_mcp_conformance.exceptions import Misuse

NAMES = ("authorization-code-grant", "authorization-server-metadata-endpoint")
URL = "https://auth.example.com"
WHOLE = {
    "url": URL,
    "scenario": NAMES[0],
    "clientId": "me",
    "clientSecret": "top s3cr3t",
    "port": 4711,
    "resource": "https://mcp.example.com/mcp",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def read(file: Path, content: Any, given: Given | None = None) -> AuthorizationSettings:
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return authorization_settings(file, given or Given(), scenarios=NAMES)


def refused(file: Path, content: Any, given: Given | None = None) -> str:
    with pytest.raises(Misuse) as caught:
        read(file, content, given)
    return str(caught.value).replace(str(file), "FILE")


def test_a_whole_file_is_read_its_port_included(file: Path) -> None:
    assert read(file, WHOLE) == AuthorizationSettings(
        url=URL,
        scenario=NAMES[0],
        client_id="me",
        client_secret="top s3cr3t",
        port=4711,
        resource="https://mcp.example.com/mcp",
    )
    assert read(file, WHOLE).redirect_uri == "http://127.0.0.1:4711/callback"


@pytest.mark.parametrize("resource", ["mailto:me@example.com", "https://mcp.example.com/@me"])
def test_a_resource_may_have_an_at_sign_where_it_names_no_user(file: Path, resource: str) -> None:
    assert read(file, {"url": URL, "resource": resource}).resource == resource


def test_a_file_with_a_url_is_enough(file: Path) -> None:
    assert read(file, {"url": URL}) == AuthorizationSettings(url=URL, port=3000)


def test_what_is_given_counts_more_than_the_file_member_by_member(file: Path) -> None:
    given = Given(url="http://127.0.0.1:9000/tenant", client_secret="other", port=80)
    assert read(file, WHOLE, given) == AuthorizationSettings(
        url="http://127.0.0.1:9000/tenant",
        scenario=NAMES[0],
        client_id="me",
        client_secret="other",
        port=80,
        resource="https://mcp.example.com/mcp",
    )


def test_the_options_are_enough() -> None:
    assert authorization_settings(given=Given(url=URL), scenarios=NAMES) == AuthorizationSettings(url=URL)


def test_without_file_and_url_it_is_said_what_is_needed() -> None:
    with pytest.raises(Misuse, match=r"^--mcp-authorization or a settings file must say which"):
        authorization_settings(scenarios=NAMES, options={"url": "--mcp-authorization"})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "FILE: not JSON: Expecting value: line 1 column 1 (char 0). A settings file is a JSON object."),
        ("[]", "FILE: a settings file is a JSON object, and this is none."),
        ({}, "FILE: the member url is missing. It is the issuer of the authorization server."),
        (
            {"url": URL, "client_id": "me"},
            (
                'FILE: no member is named "client_id". Possible are url, scenario, clientId, clientSecret, port, resource.'
                " Meant is perhaps clientId."
            ),
        ),
        ({"url": 7}, "FILE, url: a text is needed, and this is 7. An issuer is written like https://auth.example.com."),
        (
            {"url": "auth.example.com"},
            (
                'FILE, url: "auth.example.com" is no http or https URL that names a host.'
                " An issuer is written like https://auth.example.com."
            ),
        ),
        (
            {"url": "https://me:pass@auth.example.com"},
            "FILE, url: credentials in a URL end up in reports. An issuer is written like https://auth.example.com.",
        ),
        (
            {"url": URL, "scenario": "code"},
            (
                'FILE, scenario: no scenario is named "code". Possible are'
                " authorization-code-grant, authorization-server-metadata-endpoint."
            ),
        ),
        ({"url": URL, "clientId": ""}, "FILE, clientId: a text is needed that is not empty."),
        ({"url": URL, "clientSecret": ["s3cr3t"]}, "FILE, clientSecret: a text is needed that is not empty."),
        ({"url": URL, "clientSecret": None}, "FILE, clientSecret: a text is needed that is not empty."),
        ({"url": URL, "port": 0}, "FILE, port: a whole number from 1 to 65535 is needed, and this is 0."),
        ({"url": URL, "port": "3000"}, 'FILE, port: a whole number from 1 to 65535 is needed, and this is "3000".'),
        ({"url": URL, "port": True}, "FILE, port: a whole number from 1 to 65535 is needed, and this is true."),
        (
            {"url": URL, "resource": "/mcp"},
            (
                "FILE, resource: an absolute URI without a fragment is needed, like https://mcp.example.com/mcp,"
                ' and this is "/mcp".'
            ),
        ),
        (
            {"url": URL, "resource": "https://mcp.example.com/#a"},
            (
                "FILE, resource: an absolute URI without a fragment is needed, like https://mcp.example.com/mcp,"
                ' and this is "https://mcp.example.com/#a".'
            ),
        ),
        (
            {"url": URL, "resource": "http://me:s3cr3t@mcp.example.com/"},
            "FILE, resource: credentials in a URL end up in reports.",
        ),
        (
            {"url": URL, "resource": "http://me:s3cr3t@mcp.example.com:80 80/"},
            "FILE, resource: credentials in a URL end up in reports.",
        ),
        (
            {"url": URL, "resource": "http://me:s3cr3t@[/"},
            (
                "FILE, resource: an absolute URI without a fragment is needed, like https://mcp.example.com/mcp,"
                " and this is a text with @."
            ),
        ),
        (
            {"url": "http://me:s3cr3t@["},
            "FILE, url: a text with @ is no URL. An issuer is written like https://auth.example.com.",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_used_is_refused_in_one_line(file: Path, content: Any, told: str) -> None:
    assert refused(file, content) == told


@pytest.mark.parametrize(
    "url", ["https://", "http://[", "http://h:99999", "http://h:0", "file:///etc/passwd", "http://a b"]
)
def test_what_is_no_url_is_refused(file: Path, url: str) -> None:
    assert refused(file, {"url": url}).startswith("FILE, url: ")


def test_the_file_is_judged_before_anything_is_put_in_its_place(file: Path) -> None:
    assert refused(file, {"port": 3000}, Given(url=URL)).startswith("FILE: the member url is missing")


def test_a_wrong_option_is_named(file: Path) -> None:
    assert refused(file, WHOLE, Given(port=70000)) == (
        "--port: a whole number from 1 to 65535 is needed, and this is 70000."
    )
    assert refused(file, WHOLE, Given(client_secret="")) == "--client-secret: a text is needed that is not empty."


def test_a_file_that_is_not_there_or_has_no_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"nothing\.json: cannot be read \(No such file or directory\)\."):
        authorization_settings(tmp_path / "nothing.json", scenarios=NAMES)
    with pytest.raises(Misuse, match="cannot be read"):
        authorization_settings(tmp_path, scenarios=NAMES)
    with pytest.raises(Misuse, match="larger than a settings file can be"):
        authorization_settings(Path("/dev/zero"), scenarios=NAMES)


def test_the_secret_is_in_no_text_of_the_settings(file: Path) -> None:
    assert "s3cr3t" not in repr(read(file, WHOLE))
    assert "s3cr3t" not in repr(Given(client_secret="s3cr3t"))
