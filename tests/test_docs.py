"""What the documentation says is what the code declares, and what it shows happens.

A comment before a block of a page says what to make of it: see `do`.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGES = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()
MARKDOWN = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])

MARK = re.compile(
    r"<!-- (run|shows|file|folder|my-server|my-client)(?:: (.+?))? -->\n(?:```\w+\n(.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
WITH_BLOCKS = [path for path in MARKDOWN if re.search(r"<!-- (run|file|shows)\b", path.read_text())]
ANYTHING = re.compile(r"(?<!\.)\.{3}(?!\.)")
EXAMPLE_PORT = "127.0.0.1:3000"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_made_from_the_code_is_up_to_date(path: Path) -> None:
    assert path.read_text() == PAGES[path], "run: python docs/generate.py"


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    assert sorted(leaves(site["nav"])) == sorted(path.name for path in ROOT.glob("docs/*.md"))


def leaves(tree: Any) -> Iterator[str]:
    """Give the pages of a navigation."""
    for part in tree if isinstance(tree, list) else tree.values():
        if isinstance(part, str):
            yield part
        else:
            yield from leaves(part)


@pytest.fixture(scope="module")
def running_server() -> Iterator[str]:
    """Where the server of the pages runs: they say 127.0.0.1:3000."""
    command = [sys.executable, "-m", "pytest_mcp_conformance.reference"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip().removeprefix("http://").removesuffix("/mcp")
        process.terminate()


@pytest.mark.parametrize("path", WITH_BLOCKS, ids=lambda path: path.name)
def test_what_a_page_shows_happens(path: Path, tmp_path: Path, running_server: str) -> None:
    desk = Desk(tmp_path, running_server)
    for mark, argument, block in MARK.findall(path.read_text()):
        desk.do(mark, argument, block)


class Desk:
    """Somebody who follows a page: a folder, the programs that the page takes for granted, and what was last seen."""

    def __init__(self, folder: Path, server: str) -> None:
        self._home = folder
        self._folder = folder / "work"
        self._programs = folder / "programs"
        self._server = server
        self._seen = ""
        self._folder.mkdir()
        self._programs.mkdir()
        self._program("my-server", reference("server"))
        self._program("my-client", reference("client"))
        self._program("pip", "true")  # what a page installs is there

    def do(self, mark: str, argument: str, block: str) -> None:
        """Follow one block.

        `file: NAME`       it is the content of this file
        `run`              it ends with 0; `run: exit 1` with 1; `run: workflow FILE` means the steps of that file
        `shows`            its lines are seen in what ran last, in their order; `...` stands for anything, and a line may go on
        `folder: NAME`     what follows happens in a new folder
        `my-server: ARGS`  the server of the page is the reference server with these arguments; `my-client` likewise
        """
        match mark, argument.split():
            case "file", [name]:
                path = self._folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block)
            case "run", ["workflow", name]:
                document = yaml.safe_load((self._folder / name).read_text())
                steps = [step for job in document["jobs"].values() for step in job["steps"]]
                self._seen = "".join(self._run(step["run"], 0, step.get("env", {})) for step in steps if "run" in step)
            case "run", ["exit", code]:
                self._seen = self._run(block, int(code))
            case "run", []:
                self._seen = self._run(block, 0)
            case "shows", []:
                assert_seen(block, self._seen)
            case "folder", [name]:
                self._folder = self._home / name
                self._folder.mkdir()
            case ("my-server" | "my-client") as program, [*faults]:
                self._program(program, reference(program.removeprefix("my-"), *faults))
            case _:
                raise ValueError(f"<!-- {mark}: {argument} -->")

    def _program(self, name: str, line: str) -> None:
        path = self._programs / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def _run(self, script: str, code: int, more: Mapping[str, str] | None = None) -> str:
        ended = subprocess.run(
            ["bash", "-e", "-c", script.replace(EXAMPLE_PORT, self._server)],
            cwd=self._folder,
            env={
                "PATH": os.pathsep.join([str(self._programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
                "PYTHONWARNINGS": "ignore",
                "GITHUB_STEP_SUMMARY": str(self._folder / "job-summary.md"),
                **(more or {}),
            },
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        assert ended.returncode == code, f"{script}\n{ended.stdout}"
        return ended.stdout.replace(self._server, EXAMPLE_PORT)


def reference(leg: str, *faults: str) -> str:
    """Return the line that starts the reference server or client with more arguments."""
    module = "pytest_mcp_conformance.reference" if leg == "server" else "pytest_mcp_conformance.reference.client"
    return f'exec {sys.executable} -m {module} {" ".join(faults)} "$@"'


def assert_seen(block: str, seen: str) -> None:
    """Find every line of `block` at the beginning of a line of what was seen, one after the other."""
    rest = seen.splitlines()
    for line in block.splitlines():
        parts = ANYTHING.split(line)
        at = next((number for number, each in enumerate(rest) if begins(each, parts)), None)
        assert at is not None, f"{line!r} is not in\n{seen}"
        rest = rest[at + 1 :]


def begins(line: str, parts: list[str]) -> bool:
    """Tell whether `line` has all `parts` in their order, the first at its beginning."""
    if not line.startswith(parts[0]):
        return False
    at = len(parts[0])
    for part in parts[1:]:
        found = line.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True
