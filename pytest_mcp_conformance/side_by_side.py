"""Work that runs at the same time, and fails as if it had been done alone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def side_by_side(*work: Coroutine[Any, Any, T]) -> list[T]:
    """Run all of `work` at once and return what each returned, in order.

    Where one raises, the others are cancelled and its own exception is raised, not a group.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
