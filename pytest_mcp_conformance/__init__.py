"""Tells whether an implementation of the Model Context Protocol conforms, and if not, what exactly is wrong.

What stands in `__all__` is for users to import. Each name is loaded with its first use: to import the package costs nothing.

PYTEST_DONT_REWRITE: there are no asserts here, and pytest would warn that the package was imported before it looked.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_mcp_conformance.checks import Checks, first_of_type, lacking
    from pytest_mcp_conformance.exceptions import ConformanceError, ErrorAnswer, Misuse, Nonconforming, PeerUnreachable
    from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object, truthy
    from pytest_mcp_conformance.mock_server.call import MockCall
    from pytest_mcp_conformance.mock_server.received import Received
    from pytest_mcp_conformance.mock_server.script import MockPrompt, MockResource, MockTool
    from pytest_mcp_conformance.mock_server.server import MockServer
    from pytest_mcp_conformance.model import (
        Level,
        Needs,
        Prompt,
        Requirement,
        Resource,
        Revision,
        Scenario,
        SpecRef,
        Tool,
    )
    from pytest_mcp_conformance.own_tests.connecting import Connect
    from pytest_mcp_conformance.own_tests.mocking import StartMockServer
    from pytest_mcp_conformance.peer.api import Peer
    from pytest_mcp_conformance.peer.blocking import BlockingPeer
    from pytest_mcp_conformance.protocol.json_rpc import Answer, RpcError
    from pytest_mcp_conformance.protocol.recorder import Violation
    from pytest_mcp_conformance.running import ServerUnderTest
    from pytest_mcp_conformance.scenarios.declaration import server_scenario
    from pytest_mcp_conformance.serving.http import HttpReply
    from pytest_mcp_conformance.serving.refusals import Refusal

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "BlockingPeer",
    "Checks",
    "ConformanceError",
    "Connect",
    "ErrorAnswer",
    "HttpReply",
    "JsonObject",
    "JsonValue",
    "Level",
    "Misuse",
    "MockCall",
    "MockPrompt",
    "MockResource",
    "MockServer",
    "MockTool",
    "Needs",
    "Nonconforming",
    "Peer",
    "PeerUnreachable",
    "Prompt",
    "Received",
    "Refusal",
    "Requirement",
    "Resource",
    "Revision",
    "RpcError",
    "Scenario",
    "ServerUnderTest",
    "SpecRef",
    "StartMockServer",
    "Tool",
    "Violation",
    "__version__",
    "as_list",
    "as_object",
    "first_of_type",
    "lacking",
    "server_scenario",
    "truthy",
]

_HOMES = {
    "checks": ("Checks", "first_of_type", "lacking"),
    "exceptions": ("ConformanceError", "ErrorAnswer", "Misuse", "Nonconforming", "PeerUnreachable"),
    "json_values": ("JsonObject", "JsonValue", "as_list", "as_object", "truthy"),
    "mock_server.call": ("MockCall",),
    "mock_server.received": ("Received",),
    "mock_server.script": ("MockPrompt", "MockResource", "MockTool"),
    "mock_server.server": ("MockServer",),
    "model": ("Level", "Needs", "Prompt", "Requirement", "Resource", "Revision", "Scenario", "SpecRef", "Tool"),
    "own_tests.connecting": ("Connect",),
    "own_tests.mocking": ("StartMockServer",),
    "peer.api": ("Peer",),
    "peer.blocking": ("BlockingPeer",),
    "protocol.json_rpc": ("Answer", "RpcError"),
    "protocol.recorder": ("Violation",),
    "running": ("ServerUnderTest",),
    "scenarios.declaration": ("server_scenario",),
    "serving.http": ("HttpReply",),
    "serving.refusals": ("Refusal",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


if not TYPE_CHECKING:  # a type checker would take any name for one of ours

    def __getattr__(name: str) -> Any:
        """Load one of the names in `__all__`.

        :raises AttributeError: it is none of them.
        """
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
