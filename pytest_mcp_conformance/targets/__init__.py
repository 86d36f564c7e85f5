"""What is under test: a running URL, a command that serves HTTP, the embedded reference. Started, awaited, stopped."""

from pytest_mcp_conformance.targets.choosing import check_options, server_target

__all__ = ["check_options", "server_target"]
