"""Long-lived streams of changes, from 2026-07-28 on.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
"""

from __future__ import annotations

import asyncio

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server.changes import TASK_IDS, Change, wants
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.incoming import RequestId

SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


class Listener:
    """One open subscriptions/listen request.

    :param id_: of the request, which is the id of the subscription.
    :param honoured: the part of the filter that is served.
    """

    def __init__(
        self, exchange: Exchange, id_: RequestId, honoured: JsonObject, faults: frozenset[Fault] = frozenset()
    ) -> None:
        self._id = id_
        self._faults = faults
        self.meta: JsonObject = {SUBSCRIPTION_ID: str(id_) if Fault.SUBSCRIPTION_ID_AS_TEXT in faults else id_}
        self._exchange = exchange
        self._honoured = honoured
        self._stopped = asyncio.Event()

    def acknowledge(self) -> None:
        """Say what will be sent.

        MUST be the first message of the subscription: 2026-07-28, basic/patterns/subscriptions#acknowledgment
        """
        other = Fault.ACKNOWLEDGED_BY_ANOTHER_NAME in self._faults
        self._send("notifications/subscriptions/opened" if other else ACKNOWLEDGED, {"notifications": self._honoured})

    def tell(self, change: Change) -> None:
        """Send `change`, if it was asked for."""
        if not wants(self._honoured, change) and Fault.FILTER_IGNORED not in self._faults:
            return
        if change.asked_by == TASK_IDS and Fault.TASK_LOGS_TOLD in self._faults:
            self._send("notifications/message", {"level": "info", "data": "The task goes on"})
        if Fault.CHANGES_UNTAGGED in self._faults:
            self._exchange.send(json_rpc.notification(change.method, change.params))
        else:
            self._send(change.method, change.params)

    def _send(self, method: str, params: JsonObject) -> None:
        # MUST carry the subscription's id: 2026-07-28, basic#_meta
        self._exchange.send(json_rpc.notification(method, {"_meta": self.meta, **params}))

    def stop(self) -> None:
        """End the subscription from this side.

        MUST send a cancellation: 2026-07-28, basic/patterns/cancellation; the response, which SHOULD come as well, follows
        from `stopped` (basic/patterns/subscriptions#graceful-closure)
        """
        self._send("notifications/cancelled", {"requestId": self._id})
        self._stopped.set()

    async def stopped(self) -> None:
        """Return when the subscription is to end."""
        await self._stopped.wait()
