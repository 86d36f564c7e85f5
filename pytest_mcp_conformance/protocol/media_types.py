"""The media types of HTTP bodies, and which of them an answer may have."""

from __future__ import annotations

from collections.abc import Mapping

JSON = "application/json"
EVENT_STREAM = "text/event-stream"


def media_type(headers: Mapping[str, str]) -> str:
    """Return the media type that `headers` declare: in lower case, without parameters, empty if there is none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()
