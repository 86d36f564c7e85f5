"""A transcript as JSON for a page: whole where it is of a usual size, and bounded whatever a peer sent."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_mcp_conformance.json_values import JsonValue, dumps, shown

ENTRY_CHARACTERS = 20_000
TRANSCRIPT_CHARACTERS = 300_000  # a page of 65 such ones is still opened in a moment


def transcript_json(transcript: Sequence[JsonValue]) -> str:
    """Return the entries as a JSON array in ASCII; of long ones the start, and a remark in the place of what is too much."""
    parts: list[str] = []
    room = TRANSCRIPT_CHARACTERS
    for number, entry in enumerate(transcript):
        text = dumps(entry)
        if len(text) > ENTRY_CHARACTERS and isinstance(entry, dict):
            text = dumps({name: _shortened(value) for name, value in entry.items()})
        room -= len(text)
        if room < 0:
            left = len(transcript) - number
            parts.append(dumps({"from": "harness", "kind": "note", "note": f"{left} more; wire.jsonl has them"}))
            break
        parts.append(text)
    return f"[{','.join(parts)}]"


def _shortened(value: JsonValue) -> JsonValue:
    return shown(value, limit=ENTRY_CHARACTERS // 4) if len(dumps(value)) > ENTRY_CHARACTERS // 4 else value
