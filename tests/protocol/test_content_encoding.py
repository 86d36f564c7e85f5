"""Content encodings: undone in any cut, and never past the bound."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

import pytest

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.protocol.content_encoding import PIECE_BYTES, undoing

TEXT = b'{"jsonrpc": "2.0", "id": 1}' * 50
MEGABYTE = 1024 * 1024


def bare(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(content) + packer.flush()


def packed(content: bytes) -> bytes:
    """Compress without the time of day: the ids of tests are made from it, and must be the same in every process."""
    return gzip.compress(content, mtime=0)


BODIES = {
    "": TEXT,
    "identity": TEXT,
    "gzip": packed(TEXT),
    "GZip": packed(TEXT),
    "x-gzip": packed(TEXT),
    " gzip": packed(TEXT[:99]) + packed(b"") + packed(TEXT[99:]),
    "deflate": zlib.compress(TEXT),
    " deflate , identity ": zlib.compress(TEXT),
    "deflate, gzip": packed(zlib.compress(TEXT)),
    "gzip, deflate": zlib.compress(packed(TEXT)),
}


def undone(header: str, *parts: bytes, at_most: int = MEGABYTE) -> bytes:
    undo = undoing(header, at_most=at_most)
    return b"".join(piece for part in parts for piece in undo.pieces(part))


@pytest.mark.parametrize(("header", "body"), [*BODIES.items(), ("deflate", bare(TEXT))])
def test_a_body_is_unfolded_wherever_it_is_cut(header: str, body: bytes) -> None:
    assert undone(header, body) == TEXT
    assert undone(header, *(bytes([byte]) for byte in body)) == TEXT
    assert undone(header, body[:3], body[3:]) == TEXT


def test_what_is_there_is_given_at_once() -> None:
    packer = zlib.compressobj(wbits=31)
    first = packer.compress(b"data: 1\n\n") + packer.flush(zlib.Z_SYNC_FLUSH)
    assert undone("gzip", first) == b"data: 1\n\n"


def test_what_follows_the_end_is_ignored() -> None:
    assert undone("gzip", packed(TEXT) + b"rest", b"more") == TEXT
    assert undone("gzip", packed(TEXT), b"r", b"est", packed(b"more")) == TEXT
    assert undone("deflate", zlib.compress(TEXT) + zlib.compress(b"more"), b"rest") == TEXT


def test_members_are_bounded_together() -> None:
    with pytest.raises(Nonconforming, match="the answer is too large"):
        undone("gzip", packed(TEXT) + packed(TEXT), at_most=len(TEXT) + 1)


@pytest.mark.parametrize("header", ["br", "zstd", "compress", "gzip, br", "\x1b[31m", ", ".join(["gzip"] * 5)])
def test_an_encoding_that_was_not_asked_for_is_refused(header: str) -> None:
    with pytest.raises(Nonconforming, match="an encoding that was not asked for") as raised:
        undoing(header, at_most=1)
    assert raised.value.expected == "gzip, deflate"
    assert str(raised.value.got).isprintable()


@pytest.mark.parametrize("header", ["gzip", "deflate", "deflate, gzip"])
def test_a_body_that_is_something_else_is_refused(header: str) -> None:
    with pytest.raises(Nonconforming, match="not in the encoding that its header names"):
        undone(header, TEXT)


def zeros(megabytes: int, header: str) -> Iterator[bytes]:
    """Give the encoded form of many zeros, a little at a time."""
    packers = [zlib.compressobj(9, wbits=31 if name == "gzip" else 15) for name in header.split(", ")]
    for _ in range(megabytes):
        part = bytes(MEGABYTE)
        for packer in packers:
            part = packer.compress(part)
        yield part
    rest = b""
    for packer in packers:
        rest = packer.compress(rest) + packer.flush()
    yield rest


@pytest.mark.parametrize("header", ["", "gzip", "deflate", "gzip, gzip", "deflate, gzip"])
def test_no_body_unfolds_past_the_bound(header: str) -> None:
    body = b"".join(zeros(20, header)) if header else bytes(20 * MEGABYTE)
    given: list[int] = []
    with pytest.raises(Nonconforming, match="the answer is too large") as raised:
        given.extend(len(piece) for piece in undoing(header, at_most=MEGABYTE).pieces(body))
    assert raised.value.expected == f"at most {MEGABYTE} bytes"
    assert sum(given) <= MEGABYTE
    assert max(given, default=0) <= PIECE_BYTES


def test_a_layer_that_gives_nothing_on_is_bounded_too() -> None:
    """What one layer unfolds to counts, even if the next one has reached its end and ignores it."""
    ended = zlib.compress(b"") + bytes(20 * MEGABYTE)
    with pytest.raises(Nonconforming, match="the answer is too large"):
        undone("deflate, gzip", gzip.compress(ended))
