"""How the harness talks to an authorization server under test: as the client of a user, with PKCE.

Scenarios use `AuthorizationPeer`. What the user has to do in a browser is done by a `Consent`.
"""

from pytest_mcp_conformance.authorization.consent import Consent, FollowedConsent, PrintedConsent
from pytest_mcp_conformance.authorization.peer import AuthorizationPeer
from pytest_mcp_conformance.authorization.settings import (
    AuthorizationSettings,
    Given,
    authorization_settings,
    read_settings_file,
)

__all__ = [
    "AuthorizationPeer",
    "AuthorizationSettings",
    "Consent",
    "FollowedConsent",
    "Given",
    "PrintedConsent",
    "authorization_settings",
    "read_settings_file",
]
