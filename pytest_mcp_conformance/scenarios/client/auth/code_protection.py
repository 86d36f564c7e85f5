"""What keeps an authorization code from others: the form of its verifier, and where it is sent. Additions.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-code-protection
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import as_list
from pytest_mcp_conformance.model import Level, Requirement
from pytest_mcp_conformance.oauth.events import AuthorizationRequested, Log, Registered, TokenRequested
from pytest_mcp_conformance.oauth.redirect_uris import is_loopback
from pytest_mcp_conformance.scenarios.client.auth import references

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")

VERIFIER_FORM = Requirement(
    id="x-code-verifier-form",
    name="CodeVerifierForm",
    level=Level.MUST,
    text="A code_verifier has 43 to 128 characters: letters, digits, hyphen, dot, underscore and tilde.",
    spec=(references.CODE_VERIFIER,),
    addition=True,
)
REDIRECT_SECURE = Requirement(
    id="x-redirect-uri-secure",
    name="RedirectUriSecure",
    level=Level.MUST,
    text="No redirect URI of the client leads to another machine without HTTPS.",
    spec=(references.COMMUNICATION_SECURITY,),
    addition=True,
)
CODE_PROTECTION = (VERIFIER_FORM, REDIRECT_SECURE)


def decide_code_protection(checks: Checks, log: Log) -> None:
    """Decide on every verifier that was sent, and on every redirect URI that was registered or asked for."""
    verifiers = [(each, verifier) for each in log.of(TokenRequested) if (verifier := each.proof.verifier) is not None]
    if verifiers:
        # MUST be of this form: RFC 7636, 4.1 (what is unreserved: RFC 3986, 2.3)
        wrong = [(each, verifier) for each, verifier in verifiers if not VERIFIER.fullmatch(verifier)]
        checks.decide(
            VERIFIER_FORM,
            not wrong,
            expected="43 to 128 unreserved characters",
            got=[f"{len(verifier)} characters: {verifier}" for _, verifier in wrong],
            entry=wrong[0][0].http.entry if wrong else None,
        )
    named = [(each, uri) for each in log.of(Registered) for uri in as_list(each.metadata.get("redirect_uris"))]
    asked = [(each, uri) for each in log.of(AuthorizationRequested) for uri in each.parameters.all("redirect_uri")]
    uris = [(each, uri) for each, uri in [*named, *asked] if isinstance(uri, str)]
    if uris:
        open_ = [(each, uri) for each, uri in uris if not is_secure(uri)]
        checks.decide(
            REDIRECT_SECURE,
            not open_,
            expected="redirect URIs with HTTPS or on this machine",
            got=[uri for _, uri in open_],
            entry=open_[0][0].http.entry if open_ else None,
        )


def is_secure(uri: str) -> bool:
    """Tell whether what is sent to a redirect URI passes no network in the clear.

    MUST be localhost or use HTTPS: 2025-06-18 on, basic/authorization#communication-security. It specifies OAuth 2.1, 1.5,
    which is about the scheme http alone: URIs with a scheme of an application's own stay on its machine.
    """
    try:
        parts = urlsplit(uri)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme.lower() != "http" or is_loopback(host)
