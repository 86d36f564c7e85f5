"""The HTTP connections of the client."""

from __future__ import annotations

import ssl

import httpx

TIMEOUT = httpx.Timeout(connect=5, read=60, write=10, pool=10)  # seconds; a server may think for long


def http_client(url: str) -> httpx.AsyncClient:
    """Return what sends HTTP requests, for a server at `url`.

    :raises httpx.InvalidURL: it is no URL.
    """
    httpx.URL(url)
    # Certificates take long to load. For plain HTTP none are: an https URL that turns up later cannot be verified then.
    verify: bool | ssl.SSLContext = True if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.AsyncClient(timeout=TIMEOUT, trust_env=False, verify=verify)
