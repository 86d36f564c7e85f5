"""The reference client of this package, in the event loop that runs the scenarios."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from pytest_mcp_conformance.model import ClientEnd
from pytest_mcp_conformance.stage import Call


class EmbeddedClient:
    """The reference client.

    :param faults: what it does wrong on purpose.
    """

    def __init__(self, faults: Iterable[str] = ()) -> None:
        self._faults = tuple(faults)

    @property
    def description(self) -> str:
        """See `ClientTarget`."""
        with_faults = f" with {', '.join(self._faults)}" if self._faults else ""
        return f"the reference client of this package{with_faults}"

    async def run(self, call: Call, *, within: float) -> ClientEnd:
        """See `ClientTarget.run`."""
        from pytest_mcp_conformance.reference.client import run_client

        started = time.monotonic()
        code, errors, timed_out = None, "", False
        try:
            async with asyncio.timeout(within):
                code, errors = await run_client(call.url, call.environment, self._faults)
        except TimeoutError:
            timed_out = True
        return ClientEnd(
            exit_code=code,
            timed_out=timed_out,
            seconds=time.monotonic() - started,
            stderr=errors.encode(),
        )
