"""The two formats that MCP's schemas assert, each written as its grammar.

A name below is the rule of that name in the RFC. What repeats starts with a character that cannot continue what stands
before it, so that matching takes time linear in the length of the text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

_PCT_ENCODED = "%[0-9A-Fa-f]{2}"


def _any_of(characters: str) -> str:
    """Return the pattern of any number of `characters` and percent-encoded bytes."""
    return f"[{characters}]*(?:{_PCT_ENCODED}[{characters}]*)*"


# RFC 3986, appendix A.
_UNRESERVED = r"A-Za-z0-9._~\-"
_SUB_DELIMS = "!$&'()*+,;="
_PCHAR = f"{_UNRESERVED}{_SUB_DELIMS}:@"  # without pct-encoded
_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*"
_USERINFO = _any_of(f"{_UNRESERVED}{_SUB_DELIMS}:")
_REG_NAME = _any_of(f"{_UNRESERVED}{_SUB_DELIMS}")  # every IPv4 address is one, too
_IP_LITERAL = rf"\[(?:(?P<ipv6>[0-9A-Fa-f:.]+)|[Vv][0-9A-Fa-f]+\.[{_UNRESERVED}{_SUB_DELIMS}:]+)\]"
_AUTHORITY = f"(?:{_USERINFO}@)?(?:{_IP_LITERAL}|{_REG_NAME})(?::[0-9]*)?"
_PATH_ABEMPTY = f"(?:/{_any_of(_PCHAR)})*"
_PATH_ROOTLESS = f"(?:[{_PCHAR}]|{_PCT_ENCODED}){_any_of(_PCHAR)}{_PATH_ABEMPTY}"
_HIER_PART = f"(?://{_AUTHORITY}{_PATH_ABEMPTY}|/(?:{_PATH_ROOTLESS})?|{_PATH_ROOTLESS}|)"
_QUERY = _any_of(f"{_PCHAR}/?")
_URI = rf"{_SCHEME}:{_HIER_PART}(?:\?{_QUERY})?(?:#{_QUERY})?"

# RFC 6570, section 2.
# Written as what no literal is: a class of all ranges of ucschar takes ten times as long to compile. Of what the RFC leaves
# out, the noncharacters and the block of tags (U+E0000 to U+E0FFF) above the Basic Multilingual Plane pass.
_NO_LITERAL = "\\x00-\\x20\"'%<>\\\\\\^`{|}\\x7f-\\x9f\\ud800-\\udfff\\ufdd0-\\ufdef\\ufff0-\\uffff"
_LITERALS = _any_of(f"^{_NO_LITERAL}")
_VARNAME_PART = f"(?:[A-Za-z0-9_]|{_PCT_ENCODED}){_any_of('A-Za-z0-9_')}"
_VARSPEC = rf"{_VARNAME_PART}(?:\.{_VARNAME_PART})*(?::[1-9][0-9]{{0,3}}|\*)?"
_EXPRESSION = rf"\{{[+#./;?&=,!@|]?{_VARSPEC}(?:,{_VARSPEC})*\}}"
_URI_TEMPLATE = f"{_LITERALS}(?:{_EXPRESSION}{_LITERALS})*"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile `pattern` when it is first needed: the two take some milliseconds."""
    return re.compile(pattern)


def is_uri(text: str) -> bool:
    """Tell whether `text` is an absolute URI, of whatever scheme. A fragment is allowed.

    Source: RFC 3986, appendix A, rule URI.
    """
    match = _compiled(_URI).fullmatch(text)
    return match is not None and (match["ipv6"] is None or _is_ipv6_address(match["ipv6"]))


def _is_ipv6_address(text: str) -> bool:
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def is_uri_template(text: str) -> bool:
    """Tell whether `text` is a URI template of any level.

    Source: RFC 6570, section 2.
    """
    return _compiled(_URI_TEMPLATE).fullmatch(text) is not None


class Format(NamedTuple):
    """A `format` that is asserted, and the words for what fits it."""

    fits: Callable[[str], bool]
    words: str


# `byte` asserts nothing: it is no format of JSON Schema, and whether a text is Base64 is decided where the bytes are needed.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "uri": Format(is_uri, "an absolute URI"),
        "uri-template": Format(is_uri_template, "a URI template"),
    }
)
