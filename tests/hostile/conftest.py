"""The broken server, one for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.runs import broken_server


@pytest.fixture(scope="session")
def base() -> Iterator[str]:
    """The URL of the broken server, to which a behaviour is added."""
    with broken_server() as url:
        yield url
