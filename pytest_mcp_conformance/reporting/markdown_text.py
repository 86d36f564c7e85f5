"""Text that stands in Markdown and stays text: nothing in it becomes a cell, a link, a mention or an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

SHORTENED = re.compile(r"\.\.\. \((\d+) characters\)$")  # how `shown` ends a long value
CELL_CHARACTERS = 160  # of a value in a table
PLAIN = frozenset(" ,;-=%?")  # beside letters and digits: what begins nothing in Markdown and in HTML


def plain(text: str, *, limit: int = CELL_CHARACTERS) -> str:
    """Return `text` for a line of prose or a cell.

    An entity is text wherever it stands (GFM, 6.2). GitHub looks for mentions and references once more when the page is made,
    so what begins one is kept apart from what follows.
    """
    return _encoded(_line(text, limit)).replace("&#64;", "&#64;<!-- -->").replace("&#35;", "&#35;<!-- -->")


def code(text: str, *, limit: int = CELL_CHARACTERS) -> str:
    """Return `text` as code for a line of prose or a cell."""
    return f"<code>{_encoded(_line(text, limit))}</code>"


def block(lines: Iterable[str]) -> str:
    """Return lines as preformatted text: a block of its own."""
    encoded = "\n".join(_encoded(_line(line, len(line)), keep=_is_plain_in_pre) for line in lines)
    return f"<pre>\n{encoded}\n</pre>"


def link(text: str, url: str) -> str:
    """Return a link, or the text alone where `url` leads nowhere on the web."""
    if not url.startswith(("https://", "http://")):
        return plain(text)
    return f'<a href="{_encoded(url, keep=_is_plain_in_url)}">{plain(text)}</a>'


def table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Return the lines of a table. The cells are Markdown already."""
    return [
        f"| {' | '.join(header)} |",
        f"|{' --- |' * len(header)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _line(text: str, limit: int) -> str:
    line = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in " ".join(text.split()))
    if len(line) <= limit:
        return line
    shortened = SHORTENED.search(line)
    length = shortened[1] if shortened else len(line)
    return f"{line[:limit]}... ({length} characters)"


def _is_plain(character: str) -> bool:
    return character.isalnum() or character in PLAIN


def _is_plain_in_pre(character: str) -> bool:
    return character not in "&<>"


def _is_plain_in_url(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "/:.-#?=%")


def _encoded(text: str, *, keep: Callable[[str], bool] = _is_plain) -> str:
    return "".join(each if keep(each) else f"&#{ord(each)};" for each in text)
