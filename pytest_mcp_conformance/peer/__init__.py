"""How the harness talks to a server under test: one interface, two wires.

Scenarios use `Peer` and do not know which wire they are on; what differs between revisions is decided here.
"""

from pytest_mcp_conformance.peer.api import CLIENT_INFO, Peer, ServerRequestHandler
from pytest_mcp_conformance.peer.opening import open_peer

__all__ = ["CLIENT_INFO", "Peer", "ServerRequestHandler", "open_peer"]
