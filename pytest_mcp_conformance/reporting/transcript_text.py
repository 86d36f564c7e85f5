"""A transcript as lines for a terminal: what was sent, what came, in the order in which it travelled."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_object, shown

ENTRIES = 100  # the last ones: what went wrong is rarely at the beginning of a long conversation
CHARACTERS = 1_000  # of a body or an event
PROTOCOL_HEADERS = ("mcp-", "last-event-id", "content-type")  # those that say something; the others are always the same


def transcript_text(entries: Sequence[JsonValue]) -> str:
    """Return one line an entry, in ASCII. What answers an entry names its number."""
    shown_entries = [as_object(entry) for entry in entries[-ENTRIES:]]
    left_out = len(entries) - len(shown_entries)
    lines = [f"... {left_out} earlier ones"] if left_out > 0 else []
    return "\n".join(lines + [_line(entry) for entry in shown_entries])


def _line(entry: JsonObject) -> str:
    return f"{entry.get('number', ''):>3} {entry.get('ms', ''):>8} ms  {_said(entry)}"


def _said(entry: JsonObject) -> str:
    match entry.get("kind"):
        case "request":
            url = str(entry.get("url"))
            line = f"> {entry.get('method')} {url if url.isprintable() else shown(url)}{_headers(entry)}"
            return line if entry.get("body") is None else f"{line} {shown(entry['body'], limit=CHARACTERS)}"
        case "response":
            return f"< {entry.get('answers')}: HTTP {entry.get('status')}{_headers(entry)}"
        case "body":
            return f"< {entry.get('answers')}: {shown(entry.get('body'), limit=CHARACTERS)}"
        case "event":
            return f"< {entry.get('answers')}: event {shown(entry.get('data'), limit=CHARACTERS)}"
        case _:
            return f"* {shown(entry.get('note'))}"


def _headers(entry: JsonObject) -> str:
    headers = as_object(entry.get("headers"))
    told = [
        f"{name}: {shown(value)[1:-1]}" for name, value in headers.items() if name.lower().startswith(PROTOCOL_HEADERS)
    ]
    return f" [{', '.join(told)}]" if told else ""
