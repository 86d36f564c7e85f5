"""What a worker of pytest-xdist is given is what the controller read."""

from __future__ import annotations

from dataclasses import fields

from pytest_mcp_conformance.declared_options import DECLARED, Option
from pytest_mcp_conformance.options import Options, checked
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
        case "path":
            return f"{option.name}.file"  # no two reports go to one file
        case _:
            return "http://a:{port}/mcp"


def test_every_option_arrives() -> None:
    every = {option.name for option in DECLARED}
    targets = {option.name for option in DECLARED if option.targets}
    selection = {"mcp_spec_version", "mcp_suite", "mcp_scenario"}  # these and --mcp-requirements exclude each other
    server = {"mcp_server_url", "mcp_server_cmd"}  # the only targets that go together
    for names in (every - selection - targets | server, selection, *({name} for name in targets - server)):
        values = {option.name: written(option) for option in DECLARED if option.name in names}
        options = checked(values, target_named=True, selects=True)
        assert unpacked(packed_options(options)) == options
        changed = [
            each.name for each in fields(Options) if getattr(options, each.name) != getattr(checked({}), each.name)
        ]
        assert len(changed) == len(names) + 2
