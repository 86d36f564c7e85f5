"""Which target the options name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_mcp_conformance.exceptions import Misuse

if TYPE_CHECKING:
    from pytest_mcp_conformance.options import Options
    from pytest_mcp_conformance.stage import ClientTarget
    from pytest_mcp_conformance.targets.api import ServerTarget


def checked_options(options: Options) -> Options:
    """Refuse a URL or a settings file that cannot be one, before anything runs, and return what the options amount to.

    A settings file of an authorization server may name the scenario that runs.

    :raises Misuse: naming what was given and what is possible.
    """
    if options.authorization or options.authorization_url:
        from pytest_mcp_conformance.targets.authorization import settings_of

        settings = settings_of(options)
        if settings.scenario is not None and not (options.scenarios or options.suites):
            return replace(options, scenarios=(settings.scenario,))
    if options.server_url:
        from pytest_mcp_conformance.targets.address import read_template, read_url

        read = read_template if options.server_cmd else read_url
        read(options.server_url)
    return options


def server_target(options: Options) -> ServerTarget:
    """Return the server under test, not yet started.

    :raises Misuse: the options name none.
    """
    if options.server_cmd:
        from pytest_mcp_conformance.targets.command import URL_TEMPLATE, CommandTarget

        return CommandTarget(options.server_cmd, url=options.server_url or URL_TEMPLATE)
    if options.server_url:
        from pytest_mcp_conformance.targets.url import UrlTarget

        return UrlTarget(options.server_url)
    if options.server_reference:
        from pytest_mcp_conformance.targets.embedded import EmbeddedTarget

        return EmbeddedTarget()
    raise Misuse(
        "there is no server to test. Give --mcp-server-url, --mcp-server-cmd or --mcp-server-reference, or override the"
        " fixture mcp_server in the root conftest.py."
    )


def client_target(options: Options) -> ClientTarget:
    """Return the client under test.

    :raises Misuse: the options name none.
    """
    if options.client_cmd:
        from pytest_mcp_conformance.targets.client_command import CommandClient

        return CommandClient(options.client_cmd)
    if options.client_reference:
        from pytest_mcp_conformance.targets.client_embedded import EmbeddedClient

        return EmbeddedClient()
    raise Misuse(
        "there is no client to test. Give --mcp-client-cmd or --mcp-client-reference, or override the fixture mcp_client in"
        " the root conftest.py."
    )
