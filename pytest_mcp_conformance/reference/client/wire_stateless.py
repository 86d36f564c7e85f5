"""The stateless wire: every request says who the client is, what it is capable of and which revision it speaks. 2026-07-28.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from contextlib import aclosing

import httpx

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, dumps, same, shown
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.json_rpc import UNSUPPORTED_VERSION, Kind, RpcError, kind_of, notification
from pytest_mcp_conformance.reference.client.failing import ClientFailure, RequestRefused
from pytest_mcp_conformance.reference.client.faults import Fault, Faults
from pytest_mcp_conformance.reference.client.headers import standard_headers
from pytest_mcp_conformance.reference.client.identity import capabilities, client_info
from pytest_mcp_conformance.reference.client.outgoing import Requests
from pytest_mcp_conformance.reference.client.receiving import JSON, Cursor, messages, refusal
from pytest_mcp_conformance.reference.client.sending import HttpSender
from pytest_mcp_conformance.reference.client.wire import ACCEPT, NO_HEADERS

SENT_ONCE = {Fault.METHOD_HEADER_ONCE: "Mcp-Method", Fault.NAME_HEADER_ONCE: "Mcp-Name"}
SPOKEN = tuple(revision for revision in Revision if revision.stateless)


class StatelessWire:
    """See `Wire`."""

    def __init__(self, sender: HttpSender, revision: Revision, faults: Faults) -> None:
        self.revision = revision
        self.capabilities: JsonObject = {}
        self._sender = sender
        self._faults = faults
        self._requests = Requests(faults)
        self._sent: set[str] = set()

    async def open(self) -> None:
        """Ask what the server offers. MAY be called before anything else: 2026-07-28, server/discover."""
        offered = await self.request("server/discover")
        versions = as_list(offered.get("supportedVersions"))
        if self.revision.value not in versions:
            self.revision = _mutual(versions)
        self.capabilities = as_object(offered.get("capabilities"))

    async def request(
        self, method: str, params: JsonObject | None = None, *, headers: Mapping[str, str] = NO_HEADERS
    ) -> JsonObject:
        """See `Wire.request`."""
        try:
            return await self._exchange(method, params or {}, headers)
        except RequestRefused as refused:
            if refused.error.code != UNSUPPORTED_VERSION or Fault.VERSION_REFUSAL_FINAL in self._faults:
                raise
            # SHOULD retry with a mutually supported version: 2026-07-28, basic/versioning#protocol-version-negotiation
            self.revision = _mutual(as_list(as_object(refused.error.data).get("supported")))
        return await self._exchange(method, params or {}, headers)

    async def notify(self, method: str, params: JsonObject) -> None:
        """See `Wire.notify`."""
        message = notification(method, {**params, "_meta": self._meta()})
        with contextlib.suppress(httpx.HTTPError, ClientFailure):
            async with self._sender.open("POST", self._headers(method, params), dumps(message).encode()):
                pass

    async def close(self) -> None:
        """See `Wire.close`: there is nothing to end."""

    def _meta(self) -> JsonObject:
        """Return what every request says. MUST be there: 2026-07-28, basic#_meta."""
        meta: JsonObject = {"io.modelcontextprotocol/protocolVersion": self.revision.value}
        if Fault.ANONYMOUS not in self._faults:
            meta["io.modelcontextprotocol/clientInfo"] = client_info(self._faults)
        if Fault.CAPABILITIES_UNDECLARED not in self._faults:
            meta["io.modelcontextprotocol/clientCapabilities"] = capabilities(self.revision, self._faults)
        return meta

    def _headers(self, method: str, params: JsonObject) -> dict[str, str]:
        # MUST list both: 2026-07-28, basic/transports/streamable-http#sending-messages, item 2
        posted = {"Accept": ACCEPT, "Content-Type": JSON}
        headers = posted | standard_headers(method, params, self.revision, self._faults)
        # REQUIRED of all requests: 2026-07-28, basic/transports/streamable-http#standard-request-headers
        forgotten = {name for fault, name in SENT_ONCE.items() if fault in self._faults and method in self._sent}
        self._sent.add(method)
        return {name: value for name, value in headers.items() if name not in forgotten}

    async def _exchange(self, method: str, params: JsonObject, headers: Mapping[str, str]) -> JsonObject:
        id_, message = self._requests.make(method, {**params, "_meta": self._meta()})
        sent = {**self._headers(method, params), **headers}
        try:
            async with self._sender.open("POST", sent, dumps(message).encode()) as response:
                if not response.is_success:
                    raise await refusal(method, response)
                # MUST NOT be answered by anything but notifications and the response: 2026-07-28,
                # basic/transports/streamable-http#receiving-messages. Other messages are passed over.
                async with aclosing(messages(response, Cursor())) as received:
                    async for each in received:
                        if _answers(each, id_):
                            return result_in(method, each)
        except httpx.HTTPError as error:
            raise ClientFailure(f"{method} brought no answer: {error!r}") from error
        raise ClientFailure(f"{method} brought no response, only the end of the answer")


def result_in(method: str, response: JsonValue) -> JsonObject:
    """Return the result in a response.

    :raises RequestRefused: there is an error in it.
    :raises ClientFailure: there is neither.
    """
    members = as_object(response)
    if "error" in members:
        error = RpcError.read(members["error"])
        if error is None:
            raise ClientFailure(f"{method} was answered with the error {shown(members['error'])}, which is none")
        raise RequestRefused(method, error)
    result = members.get("result")
    # MUST be an object: all revisions, basic#responses
    if not isinstance(result, dict):
        raise ClientFailure(f"the result of {method} is {shown(result)} and no object")
    return result


def _answers(message: JsonValue, id_: int) -> bool:
    if kind_of(message) is not Kind.RESPONSE:
        return False
    answered = as_object(message).get("id")
    # An error may have no id, when the server could not read one: all revisions, basic#responses
    return same(answered, id_) or (answered is None and "error" in as_object(message))


def _mutual(versions: list[JsonValue]) -> Revision:
    """Return the newest revision that both sides speak.

    :raises ClientFailure: there is none.
    """
    for revision in reversed(SPOKEN):
        if revision.value in versions:
            return revision
    raise ClientFailure(f"the server speaks {shown(versions)}; this client speaks {', '.join(SPOKEN)} there")
