"""Server-sent events: a parser that is fed bytes and gives events.

Source: HTML Living Standard, 9.2.5 (parsing) and 9.2.6 (interpreting an event stream).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonValue, NotJson, loads

MAX_EVENT_CHARACTERS = 8 * 1024 * 1024  # of one event: far beyond any real message, small enough to keep the run alive
NO_UTF_8 = re.compile("[\udc80-\udcff]")  # bytes that could not be decoded, as `surrogateescape` hands them on


@dataclass(frozen=True, kw_only=True)
class Event:
    """One dispatched event.

    `id` and `retry_ms` are those of the event's own block; an id of an earlier block is `last_event_id`. `complete` is
    false for an event that the end of the stream cut off before its blank line; `decoded` is false for one with bytes that
    are no UTF-8, in whose place the replacement character stands.
    """

    data: str
    event: str = "message"
    id: str | None = None
    last_event_id: str = ""
    retry_ms: int | None = None
    complete: bool = True
    decoded: bool = True

    def value(self) -> JsonValue:
        """Read the data as JSON.

        :raises NotJson: it is none, or its bytes were no UTF-8, as MCP messages MUST be: 2025-03-26 to 2025-11-25,
            basic/transports.
        """
        if not self.decoded:
            raise NotJson("not valid UTF-8")
        return loads(self.data)


@dataclass
class SseParser:
    """Turns a byte stream into events. `retry_ms` and `last_event_id` are the stream's newest, also of blocks without data.

    :raises Nonconforming: from `feed`, when one event grows past `MAX_EVENT_CHARACTERS`.
    """

    retry_ms: int | None = None
    last_event_id: str = ""
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("surrogateescape"), init=False
    )
    # Parts of the line that has not ended; joined once, so that a long line costs what it should.
    _line: list[str] = field(default_factory=list, init=False)
    _skip_line_feed: bool = field(default=False, init=False)
    _at_start: bool = field(default=True, init=False)
    _data: list[str] = field(default_factory=list, init=False)
    _size: int = field(default=0, init=False)
    _event: str = field(default="", init=False)
    _id: str | None = field(default=None, init=False)
    _retry: int | None = field(default=None, init=False)
    _decoded: bool = field(default=True, init=False)

    def feed(self, chunk: bytes) -> list[Event]:
        """Take the next bytes; return the events that they complete."""
        return self._lines(self._decoder.decode(chunk))

    def finish(self) -> list[Event]:
        """Take the end of the stream; return the event that it cut off, if that has data.

        The standard drops such an event. It is kept, and marked, so that a message without the final blank line is seen.
        """
        events = self._lines(self._decoder.decode(b"", final=True))
        if self._line:
            self._take("".join(self._line))
            self._line = []
        if self._data:
            events.append(self._dispatch(complete=False))
        return events

    def _lines(self, text: str) -> list[Event]:
        if not text:
            return []
        if self._at_start:
            self._at_start = False
            text = text.removeprefix("\ufeff")
        if self._skip_line_feed and text.startswith("\n"):  # CR ended a line in the last chunk, its LF comes only now
            text = text[1:]
        self._skip_line_feed = text.endswith("\r")
        self._size += len(text)
        if self._size > MAX_EVENT_CHARACTERS:
            raise Nonconforming(
                "one event of the stream never ends", "an event", f"over {MAX_EVENT_CHARACTERS} characters"
            )
        self._line.append(text)
        if "\n" not in text and "\r" not in text:
            return []
        *lines, rest = "".join(self._line).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._line = [rest] if rest else []
        events = []
        for line in lines:
            if line:
                self._take(line)
            elif self._data:
                events.append(self._dispatch())
            else:
                self._reset()
        return events

    def _take(self, line: str) -> None:
        if not line.isascii() and NO_UTF_8.search(line):
            self._decoded = False
            line = NO_UTF_8.sub("\ufffd", line)
        name, _, value = line.partition(":")  # a comment has an empty name and matches nothing below
        value = value.removeprefix(" ")
        match name:
            case "data":
                self._data.append(value)
            case "event":
                self._event = value
            case "id" if "\0" not in value:
                self._id = self.last_event_id = value
            case "retry" if value.isascii() and value.isdigit():
                self._retry = self.retry_ms = int(value[:15])
            case _:
                pass

    def _dispatch(self, *, complete: bool = True) -> Event:
        event = Event(
            data="\n".join(self._data),
            event=self._event or "message",
            id=self._id,
            last_event_id=self.last_event_id,
            retry_ms=self._retry,
            complete=complete,
            decoded=self._decoded,
        )
        self._reset()
        return event

    def _reset(self) -> None:
        self._data, self._size, self._event, self._id, self._retry, self._decoded = [], 0, "", None, None, True
