"""The form of a page, as far as somebody who agrees to everything needs to understand it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

ANSWERED = frozenset({"hidden", "submit", "button", "reset", "image"})  # types of fields that no person has to fill in


@dataclass
class Form:
    """A form: where it goes, what it carries, and the names of the fields that only a person can fill in."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    asks_for: list[str] = field(default_factory=list)
    submitted: bool = False


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in the first form and what stands inside it."""
        values = {name: value or "" for name, value in attrs}
        if tag == "form" and not self.forms:
            self.forms.append(Form(action=values.get("action", ""), method=values.get("method", "get").lower()))
            self._inside = True
        elif self._inside and tag in ("input", "button", "textarea", "select"):
            self._field(tag, values)

    def handle_endtag(self, tag: str) -> None:
        """Leave the form."""
        self._inside = self._inside and tag != "form"

    def _field(self, tag: str, values: dict[str, str]) -> None:
        form = self.forms[0]
        kind = values.get("type", "submit" if tag == "button" else "text").lower()
        name, value = values.get("name", ""), values.get("value", "")
        if kind == "submit":
            if not form.submitted and name:
                form.fields.append((name, value))
            form.submitted = True
        elif kind == "hidden":
            form.fields.append((name, value))
        elif kind not in ANSWERED:
            form.asks_for.append(name or tag)


def first_form(html: str) -> Form | None:
    """Return the first form of a page, with what its first button sends; nothing where there is none."""
    reader = _Reader()
    reader.feed(html)
    return reader.forms[0] if reader.forms else None
