"""What obtains credentials when a server refuses a request for want of them: the seam between the client and OAuth.

Every HTTP request of the client to the MCP server passes `HttpSender`, which asks an `Authorizer` for the headers that carry
credentials, hands it each 401 and 403, and repeats the request when it says so.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A response with status 401 or 403 that the MCP server gave to a request.

    :ivar url: where the request went.
    :ivar headers: of the response; `get_list("www-authenticate")` has the challenges.
    :ivar authorization: the Authorization header that the request carried, so that one that was sent before the credentials
        changed can be told from one that was refused with them.
    :ivar times: how often this one request has been refused, this time included.
    """

    url: str
    status: int
    headers: httpx.Headers
    body: bytes
    authorization: str | None
    times: int


class Authorizer(Protocol):
    """Obtains credentials. It may be asked by several requests at the same time."""

    def headers(self, method: str, url: str) -> Mapping[str, str]:
        """Return the headers that carry the credentials for one request to `url`, if there are any.

        :param method: which a proof of possession names.
        """
        ...

    async def authorize(self, refused: Refused) -> bool:
        """Obtain credentials, and tell whether to repeat the request; when not, its refusal is final.

        :raises ClientFailure: the client has to end, because what a server said forbids to go on.
        """
        ...


class LaterAuthorizer:
    """An authorizer that is made when a server first refuses something: most never do, and it takes time to load."""

    def __init__(self, make: Callable[[], Authorizer]) -> None:
        self._make = make
        self._made: Authorizer | None = None

    def load(self) -> Authorizer:
        """Return the authorizer itself."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def headers(self, method: str, url: str) -> Mapping[str, str]:
        """See `Authorizer.headers`."""
        return self._made.headers(method, url) if self._made else {}

    async def authorize(self, refused: Refused) -> bool:
        """See `Authorizer.authorize`."""
        return await self.load().authorize(refused)
