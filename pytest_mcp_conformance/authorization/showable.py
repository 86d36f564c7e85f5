"""What of the texts that an authorization server writes may be shown.

Any of them can repeat a code or a token. So an error code is shown where it is a registered one, and of other texts what is
plain words: a code is made so that nobody guesses it, and looks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Source: IANA, OAuth Parameters, OAuth Extensions Error Registry; RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2.
REGISTERED_ERRORS = frozenset(
    {
        *("invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope"),
        *("server_error", "temporarily_unavailable", "invalid_client", "invalid_grant", "unsupported_grant_type"),
        *("invalid_redirect_uri", "invalid_client_metadata", "invalid_target", "invalid_token", "insufficient_scope"),
        *("interaction_required", "login_required", "account_selection_required", "consent_required"),
        *("invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported"),
        *("registration_not_supported", "unmet_authentication_requirements", "invalid_authorization_details"),
        *("invalid_dpop_proof", "use_dpop_nonce", "authorization_pending", "slow_down", "expired_token"),
        *("unsupported_token_type", "insufficient_user_authentication", "invalid_software_statement"),
    }
)
PART = r"(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,8})"  # a word, or an abbreviation; longer ones and other mixtures may be secrets
PLAIN = re.compile(
    rf"""[("'\[<{{]*(?:(?:https?://|/)?{PART}(?:[_:./'-]{PART}){{0,9}}|OAuth|OpenID|[0-9]{{1,4}})[.,;:!?)"'\]>}}/]*|[-&/+=]"""
)
AROUND_WORDS = "()[]{}<>\"'`.,;:!?"
PORT_DIGITS = 5
ADDRESS_PIECES = re.compile(r"([A-Za-z0-9_~%+=-]+)")


def redacted(text: str) -> str:
    """Return what stands in the place of a text that may be secret."""
    return f"[redacted, len={len(text)}]" if text else ""


def shown_error(code: str) -> str:
    """Return an error code as it may be shown: none but the registered ones say something to a reader that is no secret."""
    return code if code in REGISTERED_ERRORS else redacted(code)


def shown_words(text: str) -> str:
    """Return `text` with each word redacted that may be secret."""
    return " ".join(word if PLAIN.fullmatch(word) else redacted(word) for word in text.split())


def odd_words(text: str) -> Iterator[str]:
    """Give the words of `text` that may be secret, without the marks around them."""
    return (word.strip(AROUND_WORDS) for word in text.split() if not PLAIN.fullmatch(word))


def shown_address(url: str, like: str) -> str:
    """Return `url` with each piece redacted that may be secret and is none of `like`."""
    known = set(ADDRESS_PIECES.findall(like))
    pieces = ADDRESS_PIECES.split(url)
    return "".join(piece if _harmless(piece, known) else redacted(piece) for piece in pieces)


def _harmless(piece: str, known: set[str]) -> bool:
    """Tell whether a piece of an address may be shown; what stands between the pieces is never a secret."""
    short_number = piece.isdecimal() and len(piece) <= PORT_DIGITS
    return piece in known or not ADDRESS_PIECES.fullmatch(piece) or short_number or bool(PLAIN.fullmatch(piece))
