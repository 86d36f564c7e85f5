"""What is kept of a process's output."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from pytest_mcp_conformance.targets.output import FIRST_BYTES, LAST_BYTES, KeptOutput, readable, tail


@pytest.fixture
def pipe() -> Iterator[tuple[KeptOutput, int]]:
    reader, writer = os.pipe()
    output = KeptOutput(reader)
    yield output, writer
    output.close()


def write_and_close(writer: int, *parts: bytes) -> None:
    with open(writer, "wb", buffering=0) as file:
        file.writelines(parts)


def test_everything_short_is_kept(pipe: tuple[KeptOutput, int]) -> None:
    output, writer = pipe
    write_and_close(writer, b"one\n", b"two\n")
    output.finish()
    assert output.text() == "one\ntwo"


@pytest.mark.parametrize("size", [0, 1, FIRST_BYTES, FIRST_BYTES + 1, FIRST_BYTES + LAST_BYTES])
def test_nothing_is_left_out_up_to_the_limit(pipe: tuple[KeptOutput, int], size: int) -> None:
    output, writer = pipe
    write_and_close(writer, b"x" * size)
    output.finish()
    assert output.text() == "x" * size


def test_of_much_the_first_and_the_last_part_are_kept(pipe: tuple[KeptOutput, int]) -> None:
    output, writer = pipe
    write_and_close(writer, b"START" + b"-" * 10_000_000 + b"END")
    output.finish()
    text = output.text()
    assert text.startswith("START---")
    assert text.endswith("---END")
    assert f"\n... {10_000_008 - FIRST_BYTES - LAST_BYTES} bytes left out ...\n" in text


def test_closing_does_not_wait_for_a_writer_that_stays(pipe: tuple[KeptOutput, int]) -> None:
    output, writer = pipe
    os.write(writer, b"still here")
    output.close()
    output.close()
    assert output.text() == "still here"
    assert not [thread for thread in threading.enumerate() if thread.name == "mcp-target-output"]
    with pytest.raises(BrokenPipeError):
        os.write(writer, b"and now alone")
    os.close(writer)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (b"\x1b[1;31mred\x1b[0m plain", "red plain"),
        (b"a\r\nb\n", "a\nb"),
        (b"10%\r20%", r"10%\r20%"),
        (b"a\tb", "a    b"),
        (b"bell\x07 \x9b \x00", r"bell\x07 \x9b \x00"),
        (b"\xff\xfe", r"\xff\xfe"),
        ("grün \u202e".encode(), r"grün \u202e"),
        (b"\xed\xa0\x80", r"\xed\xa0\x80"),
    ],
)
def test_output_is_shown_without_what_would_move_a_terminal(output: bytes, text: str) -> None:
    assert readable(output) == text


def test_the_tail_tells_what_it_leaves_out() -> None:
    assert tail("a\nb\nc", lines=3) == "a\nb\nc"
    assert tail("a\nb\nc\nd", lines=2) == "... 2 lines before ...\nc\nd"
    assert tail("x" * 5000, lines=2) == "x" * 1000 + "..."
