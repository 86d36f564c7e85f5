"""Which of the checks about every request a conforming client comes to in the flows of the extensions."""

from __future__ import annotations

from pytest_mcp_conformance.scenarios.client.auth.authorization_request import AS_REGISTERED
from pytest_mcp_conformance.scenarios.client.auth.observed import (
    METADATA_READ,
    OF_ACCESS,
    OF_CODE,
    OF_REGISTRATION,
    OF_TOKEN,
    PRM_READ,
    TOKEN,
    VERIFIER_MATCHES,
    VERIFIER_SENT,
    optional,
)

WITHOUT_CODE = (
    PRM_READ,
    METADATA_READ,
    TOKEN,
    *OF_ACCESS,
    *map(optional, (*OF_REGISTRATION, *OF_CODE, VERIFIER_SENT, VERIFIER_MATCHES)),
)
"""Another grant takes the place of the authorization code."""

WITHOUT_BEARER = (PRM_READ, METADATA_READ, *map(optional, OF_REGISTRATION), *OF_CODE, AS_REGISTERED, *OF_TOKEN)
"""The token is presented in another way, which the scenario judges."""
