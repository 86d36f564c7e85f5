"""What is under test: a URL, a command, the embedded reference. Started, awaited, stopped."""

from pytest_mcp_conformance.targets.choosing import checked_options, client_target, server_target

__all__ = ["checked_options", "client_target", "server_target"]
