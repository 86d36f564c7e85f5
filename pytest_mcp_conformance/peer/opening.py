"""Which wire a revision is spoken on."""

from __future__ import annotations

from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.peer.api import Peer
from pytest_mcp_conformance.peer.stateful import StatefulPeer
from pytest_mcp_conformance.peer.stateless import StatelessPeer
from pytest_mcp_conformance.protocol.http import Http


def open_peer(http: Http, url: str, revision: Revision) -> Peer:
    """Return a connection to the server at `url`, not yet used."""
    return StatelessPeer(http, url, revision) if revision.stateless else StatefulPeer(http, url, revision)
