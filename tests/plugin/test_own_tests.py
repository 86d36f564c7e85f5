"""The fixtures for a project's own tests."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import REFERENCE, Run, broken_by

NO_SUITE = ("--mcp-scenario=ping", "--deselect=mcp/server")  # of one scenario, which is then left out
REFERENCE_ALONE = ("--mcp-server-reference", *NO_SUITE)

LISTING = """
    def test_listing(mcp_connect):
        with mcp_connect("2025-11-25") as peer:
            assert peer.request("tools/list")["tools"]
"""


@pytest.fixture
def run_async(pytester: pytest.Pytester) -> Run:
    """Run pytest as `run` does, with pytest-asyncio."""
    settings = ("-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function")
    return lambda *arguments: pytester.runpytest_subprocess("-p", "no:anyio", *settings, *arguments, timeout=60)


# mcp_server


def test_the_server_of_the_options_is_there_for_own_tests(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_url(mcp_server): assert mcp_server.url.startswith('http://127.0.0.1:')")
    run("test_the_server_of_the_options_is_there_for_own_tests.py", *REFERENCE_ALONE).assert_outcomes(
        passed=1, deselected=1
    )


def test_so_is_the_one_of_the_ini_file_and_it_is_the_same_for_the_suite(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeini(f"[pytest]\nmcp_server_cmd = echo $$ >> pids; exec {REFERENCE}\nmcp_scenario = ping\n")
    pytester.makepyfile(test_own="def test_url(mcp_server): assert mcp_server.url")
    run().assert_outcomes(passed=2)
    assert len((pytester.path / "pids").read_text().split()) == 1


def test_one_of_the_projects_own_needs_no_option(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        from pytest_mcp_conformance import ServerUnderTest
        from pytest_mcp_conformance.reference.server import running_server

        @pytest.fixture(scope="session")
        def mcp_server():
            with running_server() as url:
                yield ServerUnderTest(url=url)
        """
    )
    pytester.makepyfile(LISTING)
    run().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "options", [(), ("--mcp-server-url=http://127.0.0.1:1/mcp", *NO_SUITE)], ids=["none", "silent"]
)
def test_without_a_server_only_the_tests_that_need_one_end_in_an_error(
    run: Run, pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    pytester.makepyfile(
        test_own="""
        def test_before(): pass
        def test_url(mcp_server): pass
        def test_after(): pass
        """
    )
    result = run("test_own.py", *options)
    outcomes = result.parseoutcomes()
    assert (outcomes["passed"], outcomes["errors"]) == (2, 1)
    result.stdout.fnmatch_lines(
        ["*there is no server to test. Give --mcp-server-url*" if not options else "*nothing listens at*"]
    )


# mcp_connect


def test_a_connection_at_each_revision(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "draft"])
        def test_listing(mcp_connect, revision):
            with mcp_connect(revision) as peer:
                assert peer.request("tools/list")["tools"]
                assert (peer.session_id is None) is peer.revision.stateless
                assert peer.discover()["capabilities"]["tools"]
                assert peer.ask("nobody/has").error.code == -32601
                assert peer.url.endswith("/mcp")
        """
    )
    run("test_a_connection_at_each_revision.py", *REFERENCE_ALONE).assert_outcomes(passed=5, deselected=1)


def test_coroutines_use_it_under_pytest_asyncio_and_functions_beside_them(
    run_async: Run, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(
        test_own="""
        import pytest

        async def test_coroutine(mcp_connect):
            async with mcp_connect("2025-11-25") as peer:
                peer.answer("sampling/createMessage", lambda params: {
                    "role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "m"})
                result = await peer.request("tools/call", {"name": "test_sampling", "arguments": {"prompt": "sure?"}})
                assert "yes" in result["content"][0]["text"]

        def test_function(mcp_connect):
            with mcp_connect("2025-11-25") as peer:
                peer.answer("sampling/createMessage", lambda params: {
                    "role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "m"})
                result = peer.request("tools/call", {"name": "test_sampling", "arguments": {"prompt": "sure?"}})
                assert "yes" in result["content"][0]["text"]

        @pytest.fixture
        async def peer(mcp_connect):
            async with mcp_connect("2026-07-28") as peer:
                yield peer

        async def test_fixture(peer):
            assert (await peer.request("tools/list"))["tools"]

        async def test_the_loop_is_not_blocked(mcp_connect):
            with mcp_connect("2025-11-25"):
                pass
        """
    )
    result = run_async("test_own.py", *REFERENCE_ALONE)
    result.assert_outcomes(passed=3, failed=1, deselected=1)
    result.stdout.fnmatch_lines(
        ["*Misuse: `with mcp_connect(...)` would block the event loop of this test. Write `async with`."]
    )


def test_coroutines_use_it_under_anyio(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        import pytest

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @pytest.fixture
        async def peer(mcp_connect):
            async with mcp_connect("2025-11-25") as peer:
                yield peer

        @pytest.mark.anyio
        async def test_coroutine(peer):
            assert (await peer.request("tools/list"))["tools"]
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:asyncio", "test_own.py", *REFERENCE_ALONE, timeout=60)
    result.assert_outcomes(passed=1, deselected=1)


def test_other_event_loops_are_refused_in_words(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        def test_trio(mcp_connect):
            mcp_connect("2025-11-25").__aenter__().send(None)  # as any loop but asyncio's begins a coroutine

        def test_twice(mcp_connect):
            connection = mcp_connect("2025-11-25")
            with connection:
                pass
            with connection:
                pass

        def test_revision(mcp_connect):
            mcp_connect("2025")
        """
    )
    result = run("test_own.py", *REFERENCE_ALONE)
    result.assert_outcomes(failed=3, deselected=1)
    result.stdout.fnmatch_lines(
        [
            "*Misuse: mcp_connect runs on asyncio. Let this test run on it, or use `with` in a function.",
            "*Misuse: A connection is entered once. Call mcp_connect for another one.",
            "*Misuse: mcp_connect: there is no revision '2025'. Possible: 2025-03-26, *draft.",
        ]
    )


def test_messages_that_break_the_schema_fail_the_test(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        def call(peer):
            return peer.request("tools/call", {"name": "test_simple_text"})

        def test_valid(mcp_connect):
            with mcp_connect("2025-11-25") as peer:
                call(peer)

        def test_asserts(mcp_connect):
            with mcp_connect("2025-11-25") as peer:
                assert call(peer) == {}

        def test_not_validated(mcp_connect):
            with mcp_connect("2025-11-25", validate=False) as peer:
                call(peer)
        """
    )
    result = run("test_own.py", *NO_SUITE, broken_by("malformed-notification"))
    result.assert_outcomes(passed=1, failed=2, deselected=1)
    violated = [
        "1 message of the server broke the schema",
        "  from the server, in answer to tools/call, by 2025-11-25:",
        "    ProgressNotification*",
    ]
    result.stdout.fnmatch_lines(
        [
            "*_ test_valid _*",
            *violated,
            "*_ test_asserts _*",
            "E*AssertionError*",
            *(f"E*{line.strip()}" for line in violated),
        ]
    )


def test_a_failing_test_has_the_conversation_in_its_report(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        def test_refused(mcp_connect):
            with mcp_connect("2026-07-28") as peer:
                peer.request("tools/call", {"name": "nobody"})
        """
    )
    arguments = ("test_own.py", *REFERENCE_ALONE, "--mcp-header=Authorization: Bearer s3cr3t-t0ken")
    for workers in ("0", "2"):
        result = run(*arguments, "-n", workers)
        result.stdout.fnmatch_lines(
            [
                "*ErrorAnswer: tools/call was refused",
                "*expected a result of tools/call, got error -32602 *",
                "*- MCP 2026-07-28, http://127.0.0.1:*/mcp -*",
                '  0 * ms  > POST http://127.0.0.1:*[[]*Mcp-Name: nobody] {"jsonrpc": "2.0", "id": 1, *',
                "  1 * ms  < 0: HTTP 200 [[]content-type: application/json]",
                '  2 * ms  < 0: {*"error": {"code": -32602, *',
            ]
        )
        assert "s3cr3t" not in result.stdout.str()
        assert "blocking.py" not in result.stdout.str()


def test_a_server_that_is_gone_is_told_with_how_it_died(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        import os, signal

        def test_gone(mcp_connect):
            os.kill(int(open("pid").read()), signal.SIGKILL)
            with mcp_connect("2025-11-25"):
                pass
        """
    )
    result = run("test_own.py", *NO_SUITE, f"--mcp-server-cmd=echo $$ > pid; exec {REFERENCE}")
    result.stdout.fnmatch_lines(["E*PeerUnreachable: nothing answers*", "E*SIGKILL*"])


# mcp_mock_server


def test_a_client_is_tested_against_a_mock_server(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        import json, urllib.request
        import pytest
        from pytest_mcp_conformance import MockTool, Misuse

        @pytest.fixture
        def server(mcp_mock_server):
            return mcp_mock_server(tools=[MockTool(name="say", returns="hello")], sessions=False)

        def client(url, method, params=None):
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}).encode()
            headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
            with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
                return json.load(answer)

        def test_good(server):
            assert client(server.url, "tools/call", {"name": "say"})["result"]["content"][0]["text"] == "hello"
            assert server.methods == ("tools/call",)
            assert not server.violations

        def test_bad(server):
            client(server.url, "tools/call", {"name": 5})
            assert not server.violations

        def test_two(mcp_mock_server):
            assert mcp_mock_server().url != mcp_mock_server().url

        def test_revision(mcp_mock_server):
            with pytest.raises(Misuse, match="mcp_mock_server: there is no revision 'x'"):
                mcp_mock_server(revisions=["x"])
        """
    )
    result = run()
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*Violation(*",
            "*- MCP mock server http://127.0.0.1:*/mcp -*",
            '  0 * > POST *"method": "tools/call"*',
            "  1 * < 0: HTTP 200 *",
        ]
    )


# What it costs


def test_the_fixtures_are_listed_with_what_they_are_for(run: Run) -> None:
    result = run("--fixtures", "-q")
    for name in ("mcp_server [[]session scope]", "mcp_connect", "mcp_mock_server"):
        result.stdout.fnmatch_lines([f"{name} -- *fixtures.py:*", "    *"])


def test_a_project_that_does_not_use_them_loads_nothing_of_them(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        import sys

        def test_loaded():
            ours = sorted(name for name in sys.modules if name.startswith("pytest_mcp_conformance"))
            assert ours == ["pytest_mcp_conformance"] + [f"pytest_mcp_conformance.{name}" for name in (
                "declared_options", "exceptions", "fixtures", "hookspecs", "options", "plugin", "suite_id",
                "written_options")]
            assert not {"httpx", "hypercorn", "jsonschema_rs", "yaml", "asyncio"} & set(sys.modules)
        """
    )
    run().assert_outcomes(passed=1)
