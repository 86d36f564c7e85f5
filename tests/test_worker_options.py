"""What a worker of pytest-xdist is given is what the controller read."""

from __future__ import annotations

from dataclasses import fields

from pytest_mcp_conformance.options import DECLARED, Option, Options, checked
from pytest_mcp_conformance.worker_options import packed_options, unpacked


def written(option: Option) -> object:
    """Return a value as a user writes it, other than the default."""
    match option.kind:
        case "flag":
            return True
        case "list":
            return ["Accept-Language: de"] if option.name == "mcp_header" else ["a", "b,c"]
        case "seconds" | "count":
            return "7"
        case _:
            return "http://a:{port}/mcp"


def test_every_option_arrives() -> None:
    left_out = {"mcp_server_reference", "mcp_spec_version", "mcp_suite", "mcp_scenario"}  # they exclude others
    for names in ({option.name for option in DECLARED} - left_out, left_out):
        values = {option.name: written(option) for option in DECLARED if option.name in names}
        options = checked(values, target_named=True, selects=True)
        assert unpacked(packed_options(options)) == options
        changed = [
            each.name for each in fields(Options) if getattr(options, each.name) != getattr(checked({}), each.name)
        ]
        assert len(changed) == len(names) + 2
