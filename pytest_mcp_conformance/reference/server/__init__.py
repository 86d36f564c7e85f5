"""A conforming MCP server for all revisions, which can be told to do any one thing wrong.

It is what the tool runs against when nothing else is given, and the ground on which every check is shown to be able to
fail.
"""

from pytest_mcp_conformance.reference.server.app import ENDPOINT, ReferenceServer, reference_app
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.reference.server.serving import running_server

__all__ = [
    "ENDPOINT",
    "Fault",
    "ReferenceServer",
    "reference_app",
    "running_server",
]
