"""From the values of options as they are written to what they mean; what cannot be used is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_mcp_conformance.exceptions import Misuse

TOKEN_MARKS = frozenset("!#$%&'*+-.^_`|~")  # beside ASCII letters and digits, in the name of a header: RFC 9110, 5.6.2
OF_A_VARIABLE = "env:"  # a value that a variable holds: no secret stands in a command line


@dataclass(frozen=True, kw_only=True)
class WrittenOptions:
    """The values of all options by name (`mcp_suite`), as command line and ini file have them.

    :ivar environ: what `env:NAME` reads.
    """

    values: Mapping[str, object]
    environ: Mapping[str, str]

    def flag(self, name: str) -> bool:
        """Return whether a flag is set."""
        return bool(self.values.get(name))

    def text(self, name: str) -> str | None:
        """Return a text.

        :raises Misuse: it is empty: an unset variable must not mean that the option was left out.
        """
        value = self.values.get(name)
        if value == "":
            raise Misuse(f"{_flag(name)} is empty. Give a value, or leave the option out.")
        return None if value is None else str(value)

    def secret(self, name: str) -> str | None:
        """Return a text that `env:NAME` may read from a variable.

        :raises Misuse: there is no such variable, or it is empty.
        """
        text = self.text(name)
        if text is None or not text.startswith(OF_A_VARIABLE):
            return text
        variable = text.removeprefix(OF_A_VARIABLE)
        if not self.environ.get(variable):
            raise Misuse(f"{_flag(name)}: the environment has no variable {variable!r}, or it is empty.")
        return self.environ[variable]

    def command(self, name: str) -> str | None:
        """Return a line for the shell.

        :raises Misuse: there is no word in it: the shell would take the URL for the command.
        """
        text = self.text(name)
        if text is not None and not text.strip():
            raise Misuse(f"{_flag(name)} is blank. Give a command.")
        return text

    def names(self, name: str) -> tuple[str, ...]:
        """Split lists at commas and at white space, which no name has.

        :raises Misuse: an element is empty: an unset variable must not select everything.
        """
        parts = (part for entry in self._entries(name) for part in entry.split(","))
        names = tuple(each for part in parts for each in part.split() or [""])
        if "" in names:
            raise Misuse(f"{_flag(name)} has an empty name. Leave the option out for its default.")
        return names

    def headers(self, name: str) -> dict[str, str]:
        """Return the header fields of `Name: value` entries.

        :raises Misuse: see `header`; or a name is given twice, in whatever case.
        """
        found: dict[str, str] = {}
        for entry in self._entries(name):
            field, value = header(entry, self.environ)
            if field.lower() in {each.lower() for each in found}:
                raise Misuse(
                    f"{_flag(name)} {field} is given twice. Give its values in one, with a comma between them."
                )
            found[field] = value
        return found

    def seconds(self, name: str, default: float) -> float:
        """Return a span of time.

        :raises Misuse: it is no number above 0.
        """
        number = self._positive(name, float, "seconds above 0")
        return default if number is None else number

    def count(self, name: str) -> int | None:
        """Return a whole number.

        :raises Misuse: it is none, or not above 0.
        """
        number = self._positive(name, int, "a whole number above 0")
        return None if number is None else int(number)

    def _entries(self, name: str) -> list[str]:
        value = self.values.get(name)
        if isinstance(value, str):
            return [value]
        return [str(each) for each in value] if isinstance(value, list | tuple) else []

    def _positive(self, name: str, read: Callable[[str], float], wanted: str) -> float | None:
        value = self.values.get(name)
        if value is None:
            return None
        try:
            number = read(str(value))
        except ValueError:
            number = 0
        if not 0 < number < math.inf:
            raise Misuse(f"{_flag(name)} {value or 'is empty'}: give {wanted}.")
        return number


def header(text: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Split `Name: value`; a value `env:NAME` is read from `environ`.

    :raises Misuse: no header, or no such variable. The message never repeats a value.
    """
    name, colon, value = (part.strip() for part in text.partition(":"))
    is_token = name.isascii() and all(character.isalnum() or character in TOKEN_MARKS for character in name)
    if not colon or not name or not is_token:
        raise Misuse("--mcp-header: a header is written 'Name: value', for example 'Authorization: env:TOKEN'.")
    if value.startswith(OF_A_VARIABLE):
        variable = value.removeprefix(OF_A_VARIABLE)
        if variable not in environ:
            raise Misuse(f"--mcp-header {name}: the environment has no variable {variable!r}.")
        value = environ[variable]
    if not value.isprintable() or not value.isascii():
        raise Misuse(f"--mcp-header {name}: the value has characters that a header cannot carry.")
    return name, value


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
