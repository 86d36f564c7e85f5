"""An authorization server under test: one that runs, with a person at the browser, or the reference, which needs none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_mcp_conformance.authorization import (
    AuthorizationSettings,
    FollowedConsent,
    Given,
    PrintedConsent,
    authorization_settings,
)
from pytest_mcp_conformance.model import Leg
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_authorization import AuthorizationServerUnderTest

if TYPE_CHECKING:
    from pytest_mcp_conformance.options import Options

MEMBERS = {
    "url": "--mcp-authorization-url",
    "scenario": "--mcp-scenario",
    "clientId": "--mcp-authorization-client-id",
    "clientSecret": "--mcp-authorization-client-secret",
    "port": "--mcp-authorization-port",
    "resource": "--mcp-authorization-resource",
}


def settings_of(options: Options) -> AuthorizationSettings:
    """Return what the options, and the settings file that they may name, say of the authorization server.

    :raises Misuse: something of it cannot be used.
    """
    named = options.authorization or ""
    is_url = "://" in named
    given = Given(
        url=named if is_url else options.authorization_url,
        client_id=options.authorization_client_id,
        client_secret=options.authorization_client_secret,
        port=options.authorization_port,
        resource=options.authorization_resource,
    )
    file = Path(named) if named and not is_url else None
    return authorization_settings(file, given, scenarios=scenarios(Leg.AUTHORIZATION), options=MEMBERS)


@contextmanager
def authorization_server(options: Options, say: Callable[[str], None]) -> Iterator[AuthorizationServerUnderTest]:
    """Have the authorization server under test ready.

    :param say: shows a line to the person at the browser, at once.
    :raises Misuse: something of the options cannot be used.
    """
    if not options.authorization_reference:
        yield AuthorizationServerUnderTest(settings=settings_of(options), consent=PrintedConsent(say))
        return
    from pytest_mcp_conformance.reference.authorization import CONFIDENTIAL, running_authorization_server

    with running_authorization_server() as issuer:
        settings = AuthorizationSettings(
            url=issuer,
            client_id=CONFIDENTIAL.id,
            client_secret=CONFIDENTIAL.secret,
            port=options.authorization_port or 0,  # a free one: the reference takes any
        )
        yield AuthorizationServerUnderTest(settings=settings, consent=FollowedConsent())
