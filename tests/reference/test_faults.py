"""Faults: each is named, described, and witnessed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import httpx
import pytest

from pytest_mcp_conformance.reference.server import Fault, ReferenceServer
from tests.reference.clients import ACCEPT, initialize
from tests.witnesses import witnesses


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_says_in_one_sentence_what_it_does(fault: Fault) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault)
    assert re.fullmatch(r"[A-Z][^.]*(\.[^ ][^.]*)*\.", fault.text), fault.text


def test_every_fault_is_the_witness_of_some_check() -> None:
    assert {str(fault) for fault in Fault} == {witness.fault for witness in witnesses()}


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="no-such-fault"):
        ReferenceServer(["no-such-fault"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_with_its_faults_until_a_signal_comes(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "pytest_mcp_conformance.reference", "--fault", "no-session-id"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        answer = httpx.post(url, json=initialize(), headers=ACCEPT)
        os.kill(process.pid, number)
        assert process.wait(5) == 0
    assert (answer.status_code, "mcp-session-id" in answer.headers) == (200, False)
