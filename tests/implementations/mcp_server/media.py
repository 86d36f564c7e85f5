"""The smallest image and the smallest recording that are files of their kind, as Base64."""

import base64
import struct
import zlib


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _red_pixel() -> bytes:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)  # 1 by 1, 8 bits a sample, RGB
    row = zlib.compress(b"\x00\xff\x00\x00")  # filter 0, then one red pixel
    chunks = (_png_chunk(b"IHDR", header), _png_chunk(b"IDAT", row), _png_chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _silence() -> bytes:
    samples = bytes(16)
    layout = struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16)  # PCM, mono, 8 kHz, 16 bits a sample
    body = b"WAVEfmt " + struct.pack("<I", len(layout)) + layout + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


PNG = base64.b64encode(_red_pixel()).decode()
WAV = base64.b64encode(_silence()).decode()
