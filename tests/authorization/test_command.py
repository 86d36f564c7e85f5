"""`mcp-conformance authorization`: what it makes of its options before anything runs."""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.cli import authorization_words, main, parser

ABOUT = {"--client-id": "me", "--client-secret": "s3cr3t", "--port": "3999", "--resource": "https://mcp.example.com"}


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (["--url", "https://a.example"], ["--mcp-authorization-url=https://a.example"]),
        (["--file", "settings.json"], ["--mcp-authorization=settings.json"]),
    ],
)
def test_what_is_about_a_server_goes_with_the_one_that_is_named(named: list[str], words: list[str]) -> None:
    parsed = parser().parse_args(["authorization", *named, *(each for pair in ABOUT.items() for each in pair)])
    about = [f"--mcp-authorization-{option.removeprefix('--')}={value}" for option, value in ABOUT.items()]
    assert authorization_words(parsed) == words + about


def test_without_any_option_the_reference_is_tested() -> None:
    assert authorization_words(parser().parse_args(["authorization"])) == ["--mcp-authorization-reference"]


@pytest.mark.parametrize("option", ABOUT)
def test_what_is_about_a_server_is_refused_where_none_is_named(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The reference passes, and that would look as if the server that was meant did."""
    with pytest.raises(SystemExit) as ended:
        main(["authorization", option, ABOUT[option], "--scenario", "authorization-code-grant"])
    assert ended.value.code == pytest.ExitCode.USAGE_ERROR
    said = capsys.readouterr()
    told = f"{option}: about an authorization server, and none is named. Name it with --url or --file.\n"
    assert (said.out, said.err.partition("mcp-conformance authorization: ")[2]) == ("", told)


def test_all_that_lacks_its_server_is_named_and_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["authorization", *(each for pair in ABOUT.items() for each in pair)])
    said = capsys.readouterr().err
    assert ": --client-id, --client-secret, --port, --resource: about an authorization server" in said
    assert "s3cr3t" not in said
