"""Which clients there are, and how one shows who it is.

Two are registered. Any other is named by the URL of its metadata document, which is fetched for each authorization.

Source: RFC 6749, 2.3; RFC 8252, 7.3; draft-ietf-oauth-client-id-metadata-document.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass, field
from urllib.parse import unquote_plus, urlsplit

from pytest_mcp_conformance.exceptions import Nonconforming, PeerUnreachable
from pytest_mcp_conformance.json_values import as_list, as_object
from pytest_mcp_conformance.model import DRAFT
from pytest_mcp_conformance.protocol.http import Http
from pytest_mcp_conformance.protocol.recorder import Recorder
from pytest_mcp_conformance.reference.authorization.errors import Untrusted, invalid_client, invalid_request
from pytest_mcp_conformance.reference.authorization.parameters import Parameters
from pytest_mcp_conformance.serving.guards import LOCAL_HOSTS
from pytest_mcp_conformance.serving.http import Headers

DOCUMENT_SECONDS = 5.0
# SHOULD be limited in size: 2025-11-25, basic/authorization#authorization-server-abuse-protection
DOCUMENT_BYTES = 16 * 1024
CALLBACK = "http://127.0.0.1/callback"  # whatever the port: RFC 8252, 7.3
METHODS = ("client_secret_basic", "client_secret_post", "none")


@dataclass(frozen=True, kw_only=True)
class Client:
    """A client; one without a secret is public."""

    id: str
    redirect_uris: tuple[str, ...] = (CALLBACK,)
    secret: str | None = field(default=None, repr=False)

    def may_be_sent_to(self, redirect_uri: str) -> bool:
        """Tell whether `redirect_uri` is registered.

        MUST be compared exactly, but for the port on a loopback address: 2025-11-25, basic/authorization#open-redirection,
        RFC 8252, 7.3.
        """
        return any(each in (redirect_uri, _without_port(redirect_uri)) for each in self.redirect_uris)


PUBLIC = Client(id="reference-public-client")
CONFIDENTIAL = Client(id="reference-confidential-client", secret="of-the-reference-client")  # noqa: S106 -- a public one
REGISTERED = {each.id: each for each in (PUBLIC, CONFIDENTIAL)}


def _without_port(uri: str) -> str:
    """Return a URI of this machine without its port, any other as it is."""
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return uri
    if parts.scheme != "http" or parts.hostname not in ("127.0.0.1", "::1") or port is None:
        return uri
    return uri.replace(f":{port}", "", 1)


async def client_named(id_: str) -> Client:
    """Return the client of an authorization request.

    :raises Untrusted: there is none of this name.
    """
    if id_ in REGISTERED:
        return REGISTERED[id_]
    if not _names_a_document(id_):
        raise Untrusted("invalid_client", "No client has this client_id")
    return await _described_at(id_)


def _names_a_document(id_: str) -> bool:
    """Tell whether a client id is the URL of a metadata document.

    MUST be https with a path: 2025-11-25, basic/authorization#client-id-metadata-documents. On this machine alone it may be
    http, because nobody has a certificate for it.
    """
    try:
        parts = urlsplit(id_)
    except ValueError:
        return False
    local = parts.scheme == "http" and parts.hostname in LOCAL_HOSTS
    return (
        (parts.scheme == "https" or local) and parts.path not in ("", "/") and parts.username is None and "#" not in id_
    )


async def _described_at(url: str) -> Client:
    """Fetch the metadata document of a client.

    MUST name the URL that it was fetched from as client_id: 2025-11-25, basic/authorization#client-id-metadata-documents
    """
    http = Http(Recorder(revision=DRAFT))
    try:
        answer = await http.fetch("GET", url, headers={"Accept": "application/json"}, within=DOCUMENT_SECONDS)
    except (PeerUnreachable, Nonconforming) as error:
        raise Untrusted("invalid_client", "The metadata document of the client cannot be fetched") from error
    finally:
        await http.close()
    document = as_object(answer.json()) if answer.status == 200 and len(answer.body) <= DOCUMENT_BYTES else {}
    redirect_uris = tuple(each for each in as_list(document.get("redirect_uris")) if isinstance(each, str))
    if document.get("client_id") != url or not redirect_uris or "client_secret" in document:
        raise Untrusted("invalid_client", "The metadata document of the client is not one")
    return Client(id=url, redirect_uris=redirect_uris)


def authenticated(headers: Headers, parameters: Parameters) -> str:
    """Return the id of the client that sends a token request, once it has shown that it is it.

    MUST NOT use more than one method, MUST authenticate where a secret was issued: RFC 6749, 2.3 and 3.2.1.
    """
    authorization = headers.get("authorization")
    id_, secret = parameters.optional("client_id"), parameters.optional("client_secret")
    if authorization is not None:
        if secret is not None:
            raise invalid_request("The client authenticates in more than one way")
        named, (id_, secret) = id_, _basic(authorization)
        if named not in (None, id_):
            raise invalid_request("client_id and the Authorization header name different clients")
    if id_ is None:
        raise invalid_client("The request names no client")
    known = REGISTERED.get(id_)
    expected = known.secret if known is not None else None
    if known is None and not _names_a_document(id_):
        raise invalid_client("No client has this client_id")
    if not hmac.compare_digest((secret or "").encode(errors="replace"), (expected or "").encode()):
        raise invalid_client("The client did not authenticate")
    return id_


def _basic(authorization: str) -> tuple[str, str]:
    """Return client id and secret of an Authorization header, each of which is encoded as in a form.

    Source: RFC 6749, 2.3.1.
    """
    scheme, _, credentials = authorization.partition(" ")
    try:
        text = base64.b64decode(credentials.strip(), validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise invalid_client("The Authorization header cannot be read") from error
    id_, colon, secret = text.partition(":")
    if scheme.lower() != "basic" or not colon:
        raise invalid_client("The Authorization header is not of the scheme Basic")
    return unquote_plus(id_), unquote_plus(secret)
