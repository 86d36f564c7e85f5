"""The one place that every HTTP request to the MCP server passes: it adds credentials, and repeats what was refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from pytest_mcp_conformance.reference.client.authorizing import Authorizer, Refused

if TYPE_CHECKING:
    import httpx

MAX_TIMES = 8  # that one request is sent; an authorizer gives up far earlier


class HttpSender:
    """Sends to one URL.

    :param http: its connections, timeouts and limits.
    :param authorizer: obtains credentials; without one a 401 or a 403 is final.
    """

    def __init__(self, http: httpx.AsyncClient, url: str, authorizer: Authorizer | None = None) -> None:
        self._http = http
        self._url = url
        self._authorizer = authorizer

    @asynccontextmanager
    async def open(
        self, method: str, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncIterator[httpx.Response]:
        """Send one request and yield its response, whose body has not been read; refused ones are repeated first.

        :raises httpx.HTTPError: no response came.
        """
        times = 0
        while True:
            # MUST be in every request, also within one session: 2025-11-25, basic/authorization#token-requirements
            credentials = self._authorizer.headers(method, self._url) if self._authorizer else {}
            # Ids of events may have any characters, and travel as UTF-8.
            sent = [(name.encode(), value.encode()) for name, value in {**headers, **credentials}.items()]
            request = self._http.build_request(method, self._url, headers=sent, content=content)
            response = await self._http.send(request, stream=True)
            times += 1
            try:
                if not await self._repeats(response, times):
                    yield response
                    return
            finally:
                await response.aclose()

    async def _repeats(self, response: httpx.Response, times: int) -> bool:
        refusal = response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
        if not refusal or self._authorizer is None or times >= MAX_TIMES:
            return False
        refused = Refused(
            url=self._url,
            status=response.status_code,
            headers=response.headers,
            body=await response.aread(),
            authorization=response.request.headers.get("authorization"),
            times=times,
        )
        return await self._authorizer.authorize(refused)
