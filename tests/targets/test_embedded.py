"""The reference server as a target."""

from __future__ import annotations

import subprocess
import sys

import httpx
import pytest

from pytest_mcp_conformance.targets.embedded import EmbeddedTarget


def test_it_answers_until_it_is_stopped() -> None:
    target = EmbeddedTarget()
    assert target.description == "the reference server of this package"
    url = target.start()
    assert httpx.post(url, content=b"no JSON", headers={"content-type": "application/json"}).status_code == 400
    assert target.obituary() is None
    target.stop()
    target.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.post(url)


def test_importing_it_loads_no_web_server() -> None:
    program = "import sys, pytest_mcp_conformance.targets.embedded; sys.exit('hypercorn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
