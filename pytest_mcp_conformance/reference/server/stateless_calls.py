"""A request that stands alone, as its handler sees it."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_mcp_conformance import __version__
from pytest_mcp_conformance.json_values import JsonObject, as_object
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol import json_rpc
from pytest_mcp_conformance.reference.server import metadata, task_calls
from pytest_mcp_conformance.reference.server.calls import LOG_LEVELS, Call, Work
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.input_requests import (
    InputRequest,
    declares,
)
from pytest_mcp_conformance.reference.server.rounds import Rounds
from pytest_mcp_conformance.reference.server.world import World, identity
from pytest_mcp_conformance.serving.exchange import Exchange
from pytest_mcp_conformance.serving.http import Headers
from pytest_mcp_conformance.serving.incoming import (
    Request,
)
from pytest_mcp_conformance.serving.refusals import (
    Refusal,
    invalid_params,
    missing_capability,
)

# How long a result may be kept, in milliseconds, and by whom. Only complete results carry it.
# MUST be on these results: 2026-07-28, server/utilities/caching#cacheable-results
CACHEABLE: Mapping[str, int] = {
    "server/discover": 3_600_000,
    "tools/list": 60_000,
    "prompts/list": 60_000,
    "resources/list": 60_000,
    "resources/templates/list": 60_000,
    "resources/read": 0,
    # MUST be on these as well: SEP-2640
    "skills/list": 60_000,
    "skills/get": 60_000,
    "resources/directory/read": 60_000,
}

# MUST be these: 2026-07-28, basic/transports/streamable-http#protocol-version-header and #server-validation, basic#_meta
STATUS: Mapping[int, int] = {
    json_rpc.METHOD_NOT_FOUND: 404,
    json_rpc.HEADER_MISMATCH: 400,
    json_rpc.MISSING_CAPABILITY: 400,
    json_rpc.UNSUPPORTED_VERSION: 400,
}


class StatelessCall(Call):
    """A request that stands alone."""

    def __init__(self, world: World, headers: Headers, request: Request, exchange: Exchange) -> None:
        capabilities = as_object(request.meta[metadata.CLIENT_CAPABILITIES])
        super().__init__(world, request, exchange, revision=Revision.V2026_07_28, capabilities=capabilities)
        self.headers = headers
        self._log_level = request.meta.get(metadata.LOG_LEVEL)
        if self._log_level is not None and self._log_level not in LOG_LEVELS:
            # SHOULD refuse unknown levels: 2026-07-28, server/utilities/logging#error-handling
            raise invalid_params("The log level of the request is unknown")
        self._rounds = Rounds(world, request)

    def log_threshold(self) -> str | None:
        """Return the level that this request asks for.

        MUST NOT log for a request without one: 2026-07-28, server/utilities/logging#per-request-log-level
        """
        if Fault.LOGS_UNASKED in self.world.faults:
            return "debug"
        return self._log_level if isinstance(self._log_level, str) else None

    async def ask(self, requests: Mapping[str, InputRequest], *, sealed: bool = False) -> Mapping[str, JsonObject]:
        """Return the answers that came with this request, or end it with a result that asks for them."""
        return self._rounds.answers(requests, require=self.require, sealed=sealed)

    def require(self, needed: JsonObject) -> None:
        """Go on only if the request declares `needed`. MUST be refused otherwise: 2026-07-28, basic#_meta."""
        if not declares(self.capabilities, needed) and Fault.CAPABILITIES_IGNORED not in self.world.faults:
            raise missing_capability(needed)

    async def in_background(self, work: Work) -> JsonObject:
        """Make a task of `work`, if the client can take one.

        MUST NOT return a task to a client that did not declare the extension: SEP-2663, capability negotiation
        """
        wanted = task_calls.declared(self.capabilities) or Fault.TASK_UNDECLARED in self.world.faults
        if not wanted or Fault.TASKS_NEVER_CREATED in self.world.faults:
            return await work(self)
        return task_calls.begin(self, work)

    def check_mirrored_arguments(self, schema: JsonObject, arguments: JsonObject) -> None:
        """Refuse headers that do not repeat the annotated arguments."""
        metadata.check_arguments(self.headers, schema, arguments, self.world.faults)

    def close_connection(self) -> None:
        """Do nothing: the client could not come back, streams are not resumable."""

    def finish(self, result: JsonObject) -> JsonObject:
        """Return `result` with its type, who made it, and how long it may be kept."""
        # MUST have a type, SHOULD name the server: 2026-07-28, basic#result-responses and basic#_meta
        meta = {metadata.SERVER_INFO: identity(__version__)} | as_object(result.get("_meta"))
        finished: JsonObject = {"resultType": "complete"} | result | {"_meta": meta}
        if finished["resultType"] == "complete" and self.request.method in CACHEABLE:
            finished |= {"ttlMs": CACHEABLE[self.request.method], "cacheScope": "public"}
        return finished

    def status_of(self, refusal: Refusal) -> int:
        """Return the HTTP status that the revision ties to the error's code."""
        return refusal.status or STATUS.get(refusal.code, 200)
