"""What the client does not do: fetch what the schema of a tool refers to."""

from __future__ import annotations

from collections.abc import Iterable

import httpx

from pytest_mcp_conformance.reference.client.connecting import http_client


async def fetch_all(urls: Iterable[str]) -> None:
    """Get each of `urls`, whatever comes of it. MUST NOT be done: 2026-07-28, basic#json-schema-usage."""
    for url in urls:
        try:
            async with http_client(url) as http:
                await http.get(url)
        except (httpx.HTTPError, httpx.InvalidURL):
            continue
