"""Faults of the client: each is named, described, listed and witnessed."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys

import pytest

from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.reference.client import Fault, run_client
from pytest_mcp_conformance.reference.client.__main__ import main
from pytest_mcp_conformance.reference.client.faults import every_fault
from pytest_mcp_conformance.reference.client.oauth import OAuthFault
from tests.witnesses import witnesses

NOWHERE = "http://127.0.0.1:9/"  # the port of discard: nobody listens


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_says_in_one_sentence_what_it_does(fault: Fault) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault)
    assert re.fullmatch(r"[A-Z][^.]*(\.[^ ][^.]*)*\.", fault.text), fault.text


def test_every_fault_is_the_witness_of_some_check() -> None:
    named = {fault for witness in witnesses(Leg.CLIENT) for fault in witness.fault.split(" + ")}
    assert named == {str(fault) for fault in every_fault()}


def test_no_two_faults_have_one_name() -> None:
    assert not set(Fault) & set(OAuthFault)


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="no-such-fault"):
        asyncio.run(run_client(NOWHERE, {}, ["no-such-fault"]))


def test_the_command_lists_every_fault(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.findall(r"^  ([a-z0-9-]+)$", capsys.readouterr().out, re.MULTILINE)
    assert listed == [str(fault) for fault in every_fault()]


def test_the_command_names_a_fault_that_it_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--fault", "no-such-fault", NOWHERE])
    assert "no-such-fault" in capsys.readouterr().err


def test_the_command_says_on_stderr_why_it_fails() -> None:
    command = [sys.executable, "-m", "pytest_mcp_conformance.reference.client", NOWHERE]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env={})
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("initialize brought no answer: ")
    assert "Traceback" not in ended.stderr


def test_the_command_loads_nothing_that_only_some_runs_need() -> None:
    """It is started once for every scenario, so what it imports is paid for many times."""
    code = "import sys, pytest_mcp_conformance.reference.client.__main__; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"yaml", "jsonschema", "hypercorn", "pytest", "joserfc", "cryptography", "pytest_mcp_conformance.peer"}
    assert "httpx" in loaded
    assert heavy & set(loaded) == set()
