"""What a client under test talks to: a server that does as a script says, and all else as the specification says.

From the outside inwards: `server` runs one on a port, `recorded` keeps its traffic, `app` is the endpoint with `stateful` and
`stateless` behind it, `responding` finds in a `script` what answers a request.
"""

from pytest_mcp_conformance.mock_server.app import MockEndpoint
from pytest_mcp_conformance.mock_server.call import MockCall
from pytest_mcp_conformance.mock_server.received import Received
from pytest_mcp_conformance.mock_server.recorded import RecordedApp
from pytest_mcp_conformance.mock_server.script import Answer, Handler, MockPrompt, MockResource, MockTool, Script
from pytest_mcp_conformance.mock_server.server import MockServer, running_mock

__all__ = [
    "Answer",
    "Handler",
    "MockCall",
    "MockEndpoint",
    "MockPrompt",
    "MockResource",
    "MockServer",
    "MockTool",
    "Received",
    "RecordedApp",
    "Script",
    "running_mock",
]
