"""Reading the header fields that repeat the body by fewer rules than there are."""

from __future__ import annotations

import base64
import re

from pytest_mcp_conformance.protocol.mirrored_values import PREFIX, SUFFIX
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.serving.mirrored_headers import decode

BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)")


def decode_faultily(value: str, faults: frozenset[Fault]) -> str:
    """Return what a header value says, by the rules that `faults` leave in place."""
    if Fault.PARAM_HEADER_NOT_DECODED in faults:
        return value
    marked = value.startswith(PREFIX) and value.endswith(SUFFIX)
    bare = value.removeprefix(PREFIX).removesuffix(SUFFIX) if marked else value
    if Fault.PARAM_HEADER_DECODED_LENIENTLY in faults and marked:
        letters = re.sub("[^A-Za-z0-9+/]", "", bare)
        return base64.b64decode(letters + "=" * (-len(letters) % 4)).decode("latin-1")
    if Fault.PARAM_HEADER_ALWAYS_DECODED in faults and not marked and BASE64.fullmatch(bare):
        return base64.b64decode(bare).decode("latin-1")
    return decode(value)
