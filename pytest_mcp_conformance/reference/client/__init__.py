"""A conforming MCP client for all revisions, which can be told to do any one thing wrong.

It is what the tool tests when no other client is given, and the ground on which every check of the client leg is shown to
be able to fail. It knows the URL, its environment and what the server sends, and nothing else.
"""

from pytest_mcp_conformance.reference.client.faults import Fault
from pytest_mcp_conformance.reference.client.running import run_client

__all__ = ["Fault", "run_client"]
