"""The media types of HTTP bodies, and which of them a message declares."""

from __future__ import annotations

from collections.abc import Mapping

JSON = "application/json"
EVENT_STREAM = "text/event-stream"


def media_type(headers: Mapping[str, str]) -> str:
    """Return the media type that `headers`, their names in lower case, declare: see `media_type_of`."""
    return media_type_of(headers.get("content-type"))


def media_type_of(content_type: str | None) -> str:
    """Return the media type of a Content-Type field: in lower case, without parameters, empty if there is none."""
    return (content_type or "").partition(";")[0].strip().lower()
