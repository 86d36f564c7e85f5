"""How a peer may write a value that it repeats: as it is, in a URL, in a page, in base64, in JSON.

A secret has to be found in each of them.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from pytest_mcp_conformance.json_values import dumps

# What encoders leave as it is: none, those of paths, of JavaScript's encodeURIComponent, of forms, of base64 in a query.
KEPT_IN_URLS = ("", "/", "!'()*", "*", "=")
PERCENT = re.compile(r"%[0-9A-F]{2}")
QUOTES = ((), (("&#x27;", "&#39;"),), (("&#x27;", "&#39;"), ("&quot;", "&#34;")), (("&#x27;", "'"), ("&quot;", '"')))
BASE64_CHARACTERS = 12  # fewer may stand anywhere


def spellings(value: str) -> frozenset[str]:
    """Return the texts under which `value` may turn up: in the form that a peer gives it, and as JSON writes that, twice.

    In messages stand texts that a peer put into JSON, and a peer may put JSON into a page.
    """
    written = {value, *_in_base64(value)}
    for text in {value, _in_json(value)}:
        written |= {*_in_urls(text), *_in_pages(text)}
    for _ in range(2):
        written |= {_in_json(each) for each in written}
    return frozenset(written)


def _in_json(value: str) -> str:
    return dumps(value)[1:-1]


def _in_urls(value: str) -> Iterator[str]:
    for kept in KEPT_IN_URLS:
        for encoded in (quote(value, safe=kept, errors="replace"), quote_plus(value, safe=kept, errors="replace")):
            yield encoded
            yield PERCENT.sub(lambda found: found[0].lower(), encoded)
            yield quote(encoded, safe="")


def _in_pages(value: str) -> Iterator[str]:
    escaped = html.escape(value)
    for pairs in QUOTES:
        other = escaped
        for name, replacement in pairs:
            other = other.replace(name, replacement)
        yield other
        yield other.replace("+", "&#43;")


def _in_base64(value: str) -> Iterator[str]:
    """Give what base64 makes of `value` wherever it stands in a longer text: the characters that depend on it alone."""
    raw = value.encode(errors="replace")
    for before in range(3):
        start, end = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        encoded = base64.b64encode(bytes(before) + raw).decode()[start:end]
        if len(encoded) >= BASE64_CHARACTERS:
            yield encoded
            yield encoded.translate(URL_SAFE)


URL_SAFE = str.maketrans("+/", "-_")
