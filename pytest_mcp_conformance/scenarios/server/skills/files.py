"""The files of skills as `resources/read` returns them, each read once.

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field

from pytest_mcp_conformance.exceptions import Nonconforming
from pytest_mcp_conformance.json_values import JsonObject, JsonValue, Shown, as_list, as_object, same, shown
from pytest_mcp_conformance.peer import Peer


@dataclass(frozen=True, kw_only=True)
class File:
    """What reading one URI brought.

    :ivar contents: the objects among the contents.
    :ivar came: what came, as one line.
    """

    contents: tuple[JsonObject, ...] = ()
    came: Shown

    @property
    def text_content(self) -> JsonObject:
        """The first content that is a text; empty if none is."""
        return next((each for each in self.contents if isinstance(each.get("text"), str)), {})

    @property
    def text(self) -> str | None:
        """The text of that content."""
        text = self.text_content.get("text")
        return text if isinstance(text, str) else None

    @property
    def raw(self) -> bytes | None:
        """The bytes of the file: those of its text in UTF-8, or those behind its Base64."""
        for content in self.contents:
            text, blob = content.get("text"), content.get("blob")
            if isinstance(text, str):
                return text.encode("utf-8", "surrogatepass")
            if isinstance(blob, str):
                return _decoded(blob)
        return None

    def differs_from(self, entry: JsonObject) -> str | None:
        """Return in what the file differs from its entry; none if it verifies.

        The digest is that of the raw bytes, the size their number: SEP-2640, skill entries
        """
        raw = self.raw
        if raw is None:
            return f"cannot be read: {self.came}"
        if not same(entry.get("size"), len(raw)):
            return f"is of size {len(raw)}, not {shown(entry.get('size'))}"
        digest = f"sha256:{hashlib.sha256(raw).hexdigest()}"
        return None if entry.get("digest") == digest else f"has the digest {digest}, not {shown(entry.get('digest'))}"


def _decoded(blob: str) -> bytes | None:
    try:
        return base64.b64decode(blob, validate=True)
    except ValueError:
        return None


@dataclass
class Files:
    """Reads files, each once."""

    peer: Peer
    _read: dict[str, File] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """How many files were read."""
        return len(self._read)

    def known(self, uri: str) -> bool:
        """Tell whether the file was read already."""
        return uri in self._read

    async def read(self, uri: str) -> File:
        """Return the file at `uri`, or what came instead of it."""
        if uri not in self._read:
            self._read[uri] = await self._ask(uri)
        return self._read[uri]

    async def _ask(self, uri: str) -> File:
        answer = await self.peer.ask("resources/read", {"uri": uri}, from_peer=True)
        try:
            result = answer.expect_result()
        except Nonconforming as error:
            return File(came=Shown(error.got or error.message))
        contents: JsonValue = result.get("contents")
        return File(contents=tuple(as_object(each) for each in as_list(contents)), came=shown(result))
