"""Which scopes are asked for.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault

OFFLINE_ACCESS = "offline_access"

Scopes = tuple[str, ...]


def first_scopes(challenged: Scopes, supported: Sequence[str], faults: Container[str] = frozenset()) -> Scopes:
    """Return the scopes of a first authorization; none: the parameter is left out.

    :param challenged: what the challenge names.
    :param supported: `scopes_supported` of the resource's metadata; empty if it is undefined.
    """
    # SHOULD: the challenged scopes before the supported ones.
    if challenged and OAuthFault.CHALLENGED_SCOPE_IGNORED not in faults:
        return challenged
    if supported and OAuthFault.ONE_SUPPORTED_SCOPE in faults:
        return tuple(supported[:1])
    if not supported and not challenged and OAuthFault.SCOPE_INVENTED in faults:
        return ("profile",)
    return tuple(dict.fromkeys(supported))


def stepped_up(requested: Scopes, challenged: Scopes, faults: Container[str] = frozenset()) -> Scopes:
    """Return the scopes of a further authorization.

    :param requested: what has been asked for before.
    """
    if OAuthFault.STEP_UP_UNHEEDED in faults:
        return requested
    if OAuthFault.STEP_UP_FORGETS in faults:
        return challenged
    # SHOULD be the union, or what was granted before is lost: 2026-07-28, basic/authorization#step-up-authorization-flow
    return tuple(dict.fromkeys(requested + challenged))


def with_offline_access(scopes: Scopes, offered: Sequence[str], faults: Container[str] = frozenset()) -> Scopes:
    """Return `scopes`, and offline access where the authorization server offers it and other scopes are asked for.

    Alone it would replace the default scopes of the server.

    :param offered: `scopes_supported` of the authorization server's metadata.
    """
    # MAY: 2026-07-28, basic/authorization#refresh-tokens
    asks = OFFLINE_ACCESS in offered or OAuthFault.OFFLINE_ACCESS_UNSUPPORTED in faults
    return tuple(dict.fromkeys((*scopes, OFFLINE_ACCESS))) if scopes and asks else scopes
