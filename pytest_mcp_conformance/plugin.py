"""The pytest plugin: hooks that read their arguments, call one function and hand the answer back.

Nothing here loads the HTTP client, the schemas or a scenario before a run needs them: a project that merely has the plugin
installed must not notice it. What a run with something to test needs is in `active.py`.
"""

from __future__ import annotations

import pytest

from pytest_mcp_conformance import fixtures, hookspecs
from pytest_mcp_conformance.exceptions import Misuse
from pytest_mcp_conformance.fixtures import OPTIONS, WORKER_OPTIONS
from pytest_mcp_conformance.options import Options, add_options, read_options, refuse_unknown
from pytest_mcp_conformance.suite_id import suite_leg


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks that others may implement."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """List what would run, and end, where that was asked for."""
    if not config.getoption("mcp_list"):
        return None
    from pytest_mcp_conformance.contributed import take_in  # loads the scenarios
    from pytest_mcp_conformance.listing import listing
    from pytest_mcp_conformance.standard_output import StandardOutput

    output = StandardOutput()
    try:
        take_in(config)
        output.say(listing(read_options(config)))
    except Misuse as error:
        raise pytest.UsageError(str(error)) from error
    if output.failure is not None and not isinstance(output.failure, BrokenPipeError):  # `| head` has seen enough
        raise pytest.UsageError(f"the list could not be written: {output.failure.strerror}")
    return 0


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, and where there is something to test, bring in the rest of the plugin."""
    _import_our_modules_as_they_are(config)
    config.pluginmanager.register(fixtures, "mcp-conformance-fixtures")
    try:
        refuse_unknown(config.args)
        options = config.stash[OPTIONS] = given_options(config) or read_options(config)
        if options.has_target or options.selects or any(map(suite_leg, config.args)):
            from pytest_mcp_conformance import active

            active.begin(config, options)
    except Misuse as error:
        raise pytest.UsageError(str(error)) from error


def given_options(config: pytest.Config) -> Options | None:
    """Return the options that a worker of pytest-xdist was given; none in any other process.

    A worker may run where the ini file of the project is not, and without the variables that headers are read from.
    """
    workerinput = getattr(config, "workerinput", {})
    if WORKER_OPTIONS not in workerinput:
        return None
    from pytest_mcp_conformance.worker_options import unpacked

    return unpacked(workerinput[WORKER_OPTIONS])


def _import_our_modules_as_they_are(config: pytest.Config) -> None:
    """Keep pytest from rewriting the asserts of this package.

    It does so with every module of a plugin, and has to compile each anew in every run where no bytecode can be written. We
    have no asserts to rewrite. There is no public way to say so; where the private one changes, runs are slower and no more.
    """
    rewritten = getattr(getattr(config.pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
    if isinstance(rewritten, set):
        rewritten.discard("pytest_mcp_conformance")
