"""Content encodings, undone piece by piece: a small body may unfold into one that no memory holds.

Source: RFC 9110, 8.4.1 (gzip and deflate).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import shown

ACCEPT_ENCODING = "gzip, deflate"
PIECE_BYTES = 256 * 1024  # at most, at a time
ENCODINGS_IN_A_ROW = 4  # more than one is unheard of
GZIP_START = b"\x1f\x8b"
GZIP, ZLIB, BARE = 31, 15, -15  # forms of a deflated stream, as `zlib` numbers them


class Undoing(Protocol):
    """Takes the parts of an encoded body as they come and gives what they unfold to."""

    def pieces(self, part: bytes) -> Iterator[bytes]:
        """Give what `part` adds, in pieces of at most `PIECE_BYTES`, or as it is where nothing is encoded.

        :raises Nonconforming: it is not what it claims to be, or unfolds to more than the bound.
        """
        ...


def undoing(header: str, *, at_most: int) -> Undoing:
    """Return what undoes the encodings that a `Content-Encoding` header names, the last one first.

    :param at_most: bytes that any of them may unfold to.
    :raises Nonconforming: one that was not asked for.
    """
    names = [name for name in (part.strip().lower() for part in header.split(",")) if name not in {"", "identity"}]
    if len(names) > ENCODINGS_IN_A_ROW or not {"gzip", "x-gzip", "deflate"}.issuperset(names):
        raise Nonconforming("the body has an encoding that was not asked for", ACCEPT_ENCODING, shown(header))
    undone: Undoing = _AsItIs(at_most)
    for name in names:
        undone = _Inflating(name, at_most, undone)
    return undone


class _Bounded:
    """Counts what was given."""

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._size = 0

    def counted(self, piece: bytes) -> bytes:
        self._size += len(piece)
        if self._size > self._at_most:
            raise Nonconforming(
                "the answer is too large", f"at most {self._at_most} bytes", shown(f"over {self._size}")
            )
        return piece


class _AsItIs(_Bounded):
    """Nothing to undo."""

    def pieces(self, part: bytes) -> Iterator[bytes]:
        yield self.counted(part)


class _Inflating(_Bounded):
    """Undoes one encoding and hands on to what undoes the one below."""

    def __init__(self, name: str, at_most: int, below: Undoing) -> None:
        super().__init__(at_most)
        self._name = name
        self._below = below
        self._begun = b""  # of a stream whose first bytes are not complete
        self._inflating: zlib._Decompress | None = None
        self._ended = False  # once, at least
        self._over = False  # what else comes is ignored

    def pieces(self, part: bytes) -> Iterator[bytes]:
        try:
            while part and not self._over:
                if self._inflating is None:
                    part = self._begun = self._begun + part
                    if len(part) < 2:
                        return
                    self._inflating, self._begun = self._next(part), b""
                    if self._inflating is None:
                        self._over = True
                        return
                piece = self._inflating.decompress(part, PIECE_BYTES)
                part = self._inflating.unconsumed_tail
                if self._inflating.eof:
                    part, self._inflating, self._ended = self._inflating.unused_data, None, True
                yield from self._below.pieces(self.counted(piece))
        except zlib.error as error:
            raise Nonconforming(
                "the body is not in the encoding that its header names", self._name, shown(str(error))
            ) from error

    def _next(self, start: bytes) -> zlib._Decompress | None:
        """Return what inflates the stream that begins with `start`; nothing where none does.

        A gzip body has one member or several: RFC 1952, 2.2.
        """
        if self._name == "deflate":
            return None if self._ended else zlib.decompressobj(_form(start))
        return zlib.decompressobj(GZIP) if not self._ended or start.startswith(GZIP_START) else None


def _form(start: bytes) -> int:
    """Tell the form of a `deflate` body: zlib's, as it should be, or bare, as some servers send it.

    Source: RFC 1950, 2.2; RFC 9110, 8.4.1.2.
    """
    return ZLIB if start[0] & 15 == 8 and (start[0] << 8 | start[1]) % 31 == 0 else BARE
