"""Content blocks, and the small files that stand in them."""

from __future__ import annotations

import base64
import struct
import zlib

from pytest_mcp_conformance.json_values import JsonObject, JsonValue


def text(value: str) -> JsonObject:
    """Return a text block."""
    return {"type": "text", "text": value}


def image() -> JsonObject:
    """Return an image block: one red pixel."""
    return {"type": "image", "data": PNG, "mimeType": "image/png"}


def audio() -> JsonObject:
    """Return an audio block: a moment of silence."""
    return {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def embedded(uri: str, mime_type: str, value: str) -> JsonObject:
    """Return a block with a text resource in it."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": value}}


def tool_result(*blocks: JsonObject) -> JsonObject:
    """Return the result of a tool that did its work."""
    content: list[JsonValue] = [*blocks]
    return {"content": content}


def tool_error(message: str) -> JsonObject:
    """Return the result of a tool that failed, in words for the model that called it."""
    return {"content": [text(message)], "isError": True}


def user_message(block: JsonObject) -> JsonObject:
    """Return a message of a prompt."""
    return {"role": "user", "content": block}


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png() -> bytes:
    """Source: PNG (W3C Recommendation), 5 and 11: header of a 1 x 1 image of 8-bit RGB, one row, end."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    row = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _png_chunk(kind, data) for kind, data in ((b"IHDR", header), (b"IDAT", row), (b"IEND", b""))
    )


def _wav() -> bytes:
    """Source: RIFF WAVE, PCM: one channel, 8000 samples a second of 8 bits, eight samples."""
    samples = b"\x80" * 8
    form = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data" + struct.pack("<I", len(samples))
    return b"RIFF" + struct.pack("<I", len(form) + len(samples)) + form + samples


PNG = base64.b64encode(_png()).decode()
WAV = base64.b64encode(_wav()).decode()
