"""A request within a session, as its handler sees it."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.reference.server.calls import Call, ToolFailure, Work
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.input_requests import (
    ELICIT,
    SAMPLE,
    InputRequest,
    declares,
    needed_capability,
    why_unusable,
)
from pytest_mcp_conformance.reference.server.revisions import known_members
from pytest_mcp_conformance.reference.server.sessions import Session
from pytest_mcp_conformance.reference.server.spoiled import spoil_request, subject
from pytest_mcp_conformance.reference.server.world import World
from pytest_mcp_conformance.serving.concurrency import all_of
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.incoming import (
    Request,
)
from pytest_mcp_conformance.serving.refusals import Refusal

MADE_UP = {ELICIT: Fault.ELICITATION_SKIPPED, SAMPLE: Fault.SAMPLING_SKIPPED}


class StatefulCall(Call):
    """A request within a session."""

    def __init__(self, world: World, session: Session, request: Request, exchange: Exchange) -> None:
        super().__init__(world, request, exchange, revision=session.revision, capabilities=session.capabilities)
        self.session = session

    def log_threshold(self) -> str | None:
        """Return the level that the client set for its session."""
        return "error" if Fault.LOGS_HELD_BACK in self.world.faults else self.session.log_level

    async def ask(self, requests: Mapping[str, InputRequest], *, sealed: bool = False) -> Mapping[str, JsonObject]:
        """Send each request to the client and wait for the responses; no state is needed, the session has it."""
        del sealed
        # SHOULD NOT send requests before the client says that it is initialized: 2025-11-25, basic/lifecycle#initialization
        if not self.session.initialized:
            raise ToolFailure("The client is not initialized yet")
        for request in requests.values():
            self.require(needed_capability(request))
        answers = await all_of(*map(self._ask_one, requests.values()))
        return dict(zip(requests, answers, strict=True))

    async def _ask_one(self, request: InputRequest) -> JsonObject:
        if MADE_UP.get(request.method) in self.world.faults:
            return {"action": "decline"} if request.method == ELICIT else {"content": {"type": "text", "text": "42"}}
        params = spoil_request(self.world.faults, request.method, subject(self.request), request.params)
        response = await self.session.ask(self.exchange, request.method, params or None)
        if response.result is None:
            raise ToolFailure(f"The client refused {request.method}")
        problem = why_unusable(request, response.result)
        if problem is not None:
            raise ToolFailure(problem)
        return response.result

    def require(self, needed: JsonObject) -> None:
        """Go on only if the client declared `needed`.

        MUST only use negotiated capabilities: 2025-11-25, basic/lifecycle#operation
        """
        if not declares(self.capabilities, needed):
            raise ToolFailure(f"The client did not declare {' and '.join(needed)}")

    async def in_background(self, work: Work) -> JsonObject:
        """Run `work` at once: the extension for tasks is of a later revision."""
        return await work(self)

    def check_mirrored_arguments(self, schema: JsonObject, arguments: JsonObject) -> None:
        """Do nothing: these revisions mirror nothing into headers."""

    def close_connection(self) -> None:
        """Close the connection of this call; the client finds the answer on the stream, when it comes back."""
        self.exchange.open_stream()
        if self.revision >= Revision.V2025_11_25:
            self.exchange.stream.disconnect()

    def finish(self, result: JsonObject) -> JsonObject:
        """Return `result` within what the revision knows."""
        return known_members(result, self.revision)

    def status_of(self, refusal: Refusal) -> int:
        """Return 200 for an error that answers a request, unless it says otherwise."""
        return refusal.status or 200
