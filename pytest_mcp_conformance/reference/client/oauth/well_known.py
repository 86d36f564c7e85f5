"""Where metadata is looked for: the well-known URLs of a protected resource and of an authorization server, in their order."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

RESOURCE = "/.well-known/oauth-protected-resource"
OAUTH_SERVER = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"


def resource_metadata_urls(server_url: str) -> list[str]:
    """Return where the metadata of the resource at `server_url` may be, when no challenge says so.

    Source: 2025-11-25, basic/authorization#protected-resource-metadata-discovery-requirements; RFC 9728, 3.1.
    """
    parts = urlsplit(server_url)
    # MUST be asked in this order: below the path of the endpoint, then at the root.
    at_path = urlunsplit((parts.scheme, parts.netloc, RESOURCE + parts.path.rstrip("/"), parts.query, ""))
    at_root = f"{parts.scheme}://{parts.netloc}{RESOURCE}"
    return list(dict.fromkeys([at_path, at_root]))


def server_metadata_urls(issuer: str) -> list[str]:
    """Return where the metadata of the authorization server named `issuer` may be.

    Source: 2025-11-25, basic/authorization#authorization-server-metadata-discovery; RFC 8414, 3.1 and 5.
    """
    parts = urlsplit(issuer)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    # MUST be asked in this order: OAuth before OpenID, a path inserted before a path appended.
    urls = [root + OAUTH_SERVER + path, root + OPENID + path]
    return [*urls, root + path + OPENID] if path else urls


def origin_of(url: str) -> str:
    """Return scheme and authority of `url`, as they are written.

    Source: 2025-03-26, basic/authorization#authorization-base-url.
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
