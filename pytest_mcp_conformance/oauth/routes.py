"""From path and method of a request to who answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pytest_mcp_conformance.serving.http import HttpReply, HttpRequest


@dataclass(frozen=True)
class Route:
    """What is served at a path: by GET or by POST, and never by both."""

    method: str
    answer: Callable[[HttpRequest], HttpReply]

    @property
    def allowed(self) -> str:
        """What the Allow header says: RFC 9110, 10.2.1."""
        return "GET, HEAD, OPTIONS" if self.method == "GET" else "POST, OPTIONS"


def answered(routes: Mapping[str, Route], http: HttpRequest) -> HttpReply | None:
    """Return the answer to a request, or nothing where its path is served by nobody.

    A slash at the end of a path is passed over, because clients that build well-known addresses tend to leave one there.
    """
    route = routes.get(http.path) or routes.get(http.path.removesuffix("/"))
    if route is None:
        return None
    if http.method == "OPTIONS":
        return HttpReply(status=204, headers={"allow": route.allowed})
    if http.method == "HEAD" and route.method == "GET":
        # MUST NOT have a body: RFC 9110, 9.3.2
        return replace(route.answer(http), body=b"")
    if http.method != route.method:
        return HttpReply(status=405, headers={"allow": route.allowed})
    return route.answer(http)
