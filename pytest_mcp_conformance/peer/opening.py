"""Which wire a revision is spoken on."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import Peer
from pytest_mcp_conformance.peer.stateful import StatefulPeer
from pytest_mcp_conformance.peer.stateless import StatelessPeer
from pytest_mcp_conformance.protocol.http import Http


def open_peer(
    http: Http,
    url: str,
    revision: Revision,
    *,
    capabilities: JsonObject | None = None,
    client_info: JsonObject | None = None,
) -> Peer:
    """Return a connection to the server at `url`, not yet used.

    :param capabilities: to be declared, in the place of those that scenarios need.
    """
    wire = StatelessPeer if revision.stateless else StatefulPeer
    return wire(http, url, revision, capabilities=capabilities, client_info=client_info)
