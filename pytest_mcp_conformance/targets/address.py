"""Where a server is: a URL, looked at before anything is sent to it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_mcp_conformance.exceptions import Misuse

DEFAULT_PORTS = {"http": 80, "https": 443}
PORT = "{port}"


@dataclass(frozen=True, kw_only=True)
class Address:
    """A URL that can be used, and the host and port that it names."""

    url: str
    host: str
    port: int


def read_url(text: str, *, option: str = "--mcp-server-url") -> Address:
    """Read the URL of a server.

    :param option: what the user wrote it behind, for the message.
    :raises Misuse: it cannot be used.
    """

    def misuse(what: str) -> Misuse:
        return Misuse(f"{option} {text!r}: {what}. A server's URL is written like http://127.0.0.1:3000/mcp.")

    # `urlsplit` drops some of these characters silently, and what is tested would not be what was written.
    if strange := next((each for each in text if each.isspace() or not each.isprintable()), None):
        raise misuse(f"a URL cannot hold the character {strange!r}")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise misuse(str(error)) from error
    if parts.scheme not in DEFAULT_PORTS:
        raise misuse(f"the scheme is {parts.scheme!r}, and possible are http and https")
    if not host or not _resolvable(host):
        raise misuse(f"it names no host that could be looked up ({host!r})" if host else "it names no host")
    if port == 0:
        raise misuse("nothing can listen on port 0")
    if parts.username is not None:
        raise misuse("credentials in a URL end up in reports; give them with --mcp-header")
    if parts.fragment:
        raise misuse(f"the part behind # ({parts.fragment!r}) is never sent to a server")
    return Address(url=text, host=host, port=port or DEFAULT_PORTS[parts.scheme])


def read_template(text: str, *, option: str = "--mcp-server-url") -> str:
    """Return a URL with `{port}` in the place of the port, if it is one.

    :raises Misuse: it is none.
    """
    low, high = (read_url(text.replace(PORT, port), option=option) for port in ("1", "65535"))
    if (low.port, high.port) != (1, 65535):
        raise Misuse(
            f"{option} {text!r}: together with a command the port is chosen at the start. Write {PORT} in its place,"
            f" like http://127.0.0.1:{PORT}/mcp."
        )
    return text


def _resolvable(host: str) -> bool:
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return False
