"""What all tests of this project share. Nothing a user needs: the plugin itself is installed by its entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest


@pytest.fixture
def _loaded() -> Iterator[dict[str, ModuleType]]:
    """Gather modules that stay loaded behind the test."""
    loaded: dict[str, ModuleType] = {}
    yield loaded
    sys.modules.update(loaded)


@pytest.fixture
def pytester(_loaded: dict[str, ModuleType], pytester: pytest.Pytester) -> Iterator[pytest.Pytester]:
    """Give pytest's own, but keep the modules that were loaded beside it.

    It unloads them, for runs within this process; ours have processes of their own. A library of which half the modules are
    loaded anew (httpx has httpcore loaded at the first request) no longer knows its own exceptions in later tests.
    """
    yield pytester
    _loaded.update(sys.modules)
