"""Work at the same time: results in order, and failures as if it had been done alone."""

from __future__ import annotations

import asyncio

import pytest

from pytest_mcp_conformance.exceptions import PeerUnreachable
from pytest_mcp_conformance.side_by_side import side_by_side


async def test_results_come_in_the_order_of_the_work() -> None:
    last = asyncio.Event()

    async def waits() -> str:
        await last.wait()
        return "first"

    async def goes_on() -> str:
        last.set()
        return "second"

    assert await side_by_side(waits(), goes_on()) == ["first", "second"]


async def test_a_failure_ends_the_rest_and_is_raised_as_it_is() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waits")

    async def fails() -> None:
        raise PeerUnreachable("gone")

    with pytest.raises(PeerUnreachable, match="gone"):
        await side_by_side(waits(), fails())
    assert ended == ["waits"]


async def test_a_timeout_around_it_ends_all() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await side_by_side(asyncio.Event().wait(), asyncio.Event().wait())
