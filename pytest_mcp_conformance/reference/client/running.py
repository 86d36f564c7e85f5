"""One run of the client: it opens a conversation, does its task and says how it went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import httpx

from pytest_mcp_conformance.reference.client.authorizing import Authorizer, LaterAuthorizer
from pytest_mcp_conformance.reference.client.client import Client
from pytest_mcp_conformance.reference.client.connecting import http_client
from pytest_mcp_conformance.reference.client.failing import ClientFailure
from pytest_mcp_conformance.reference.client.faults import Fault, Faults, every_fault
from pytest_mcp_conformance.reference.client.sending import HttpSender
from pytest_mcp_conformance.reference.client.tasks import task_of
from pytest_mcp_conformance.reference.client.told import Told
from pytest_mcp_conformance.reference.client.wire import Note, Wire

FAILED, WRONG_CODE = 1, 3


async def run_client(url: str, environment: Mapping[str, str], faults: Iterable[str] = ()) -> tuple[int, str]:
    """Run the client against the server at `url`, and return its exit code and what it says on stderr.

    :param environment: has the variables that tell the client what to do.
    :param faults: what to do wrong.
    :raises ValueError: there is no such fault.
    """
    wrongs = frozenset(faults)
    unknown = wrongs - set(Fault) and wrongs - set(every_fault())
    if unknown:
        raise ValueError(f"no fault is named {', '.join(sorted(unknown))}")
    said: list[str] = []
    code = 0
    try:
        await _converse(url, Told.read(environment), wrongs, said.append)
    except ClientFailure as failure:
        said.append(str(failure))
        code = FAILED
    if Fault.ENDS_WITH_CODE_3 in wrongs:
        code = WRONG_CODE
    return code, "".join(f"{line}\n" for line in said)


async def _converse(url: str, told: Told, faults: Faults, note: Note) -> None:
    try:
        http = http_client(url)
    except httpx.InvalidURL as error:
        raise ClientFailure(f"{url} is no URL: {error}") from error
    async with http:
        authorizer = LaterAuthorizer(lambda: _oauth(http, url, told, faults))
        if faults - set(Fault):
            authorizer.load()  # what is done wrong may be that it does not wait to be refused
        wire = wire_for(HttpSender(http, url, authorizer), told, faults)
        try:
            await wire.open()
            await task_of(told)(Client(wire, faults, note), told)
        finally:
            if Fault.MALFORMED_NOTIFICATION in faults:
                await wire.notify("notifications/progress", {})
            await wire.close()


def _oauth(http: httpx.AsyncClient, url: str, told: Told, faults: Faults) -> Authorizer:
    from pytest_mcp_conformance.reference.client.oauth import OAuth

    return OAuth(http, url, context=told.context, revision=told.revision, faults=faults)


def wire_for(sender: HttpSender, told: Told, faults: Faults) -> Wire:
    """Return the wire of the revision that the client is told to speak; only that one is loaded."""
    if told.revision.stateless:
        from pytest_mcp_conformance.reference.client.wire_stateless import StatelessWire

        return StatelessWire(sender, told.revision, faults)
    from pytest_mcp_conformance.reference.client.wire_stateful import StatefulWire

    return StatefulWire(sender, told.revision, faults)
