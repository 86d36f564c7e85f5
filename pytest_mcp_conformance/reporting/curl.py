"""The `curl` line that repeats a request, where one request is enough to see the same again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from pytest_mcp_conformance.json_values import JsonValue, as_object, dumps
from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.recorder import REDACTED
from pytest_mcp_conformance.reporting.exchanges import Exchange

MOST_CHARACTERS = 2_000  # of a line that somebody would still copy
CUT = re.compile(r"\.\.\. \(\d+ (?:bytes|characters)\)$")  # what the transcript writes where it left something out
OF_A_SESSION = frozenset({"mcp-session-id", "last-event-id"})
# Members of params that only an earlier answer can have given.
GIVEN_BEFORE = frozenset({"requestState", "inputResponses", "taskId"})


def curl_line(exchange: Exchange, revision: Revision, *, secret_headers: Iterable[str]) -> str | None:
    """Return the line, or nothing where the request rests on earlier ones, was not kept whole, or is too long for a line.

    :param secret_headers: names of headers that every request carries; their values are left out.
    """
    request = exchange.request
    url, headers = request.get("url"), request.get("headers")
    if not isinstance(url, str) or not isinstance(headers, dict) or _rests_on_others(exchange, revision):
        return None
    body = _body(request.get("body"))
    if body is None:
        return None
    fields = [f"{name}: {value}" if value else f"{name};" for name, value in headers.items()]
    if not any(name.lower() == "content-type" for name in headers):
        fields.append("Content-Type:")  # or curl would add one
    fields += [f"{name}: ..." for name in secret_headers]
    line = shlex.join(["curl", "-sSiN", url, *(word for each in fields for word in ("-H", each)), "--data-raw", body])
    fits = len(line) <= MOST_CHARACTERS and line.isprintable() and REDACTED not in line
    return line if fits else None


def _rests_on_others(exchange: Exchange, revision: Revision) -> bool:
    """Tell whether the request means something only after others.

    On the stateless wire every request stands alone unless it repeats what an earlier answer gave. On the stateful one only
    what opens a run does.
    """
    request = exchange.request
    if request.get("method") != "POST":
        return True
    if any(name.lower() in OF_A_SESSION for name in as_object(request.get("headers"))):
        return True
    if not revision.stateless:
        return exchange.number != 0 and exchange.method != "initialize"
    return bool(GIVEN_BEFORE & as_object(as_object(request.get("body")).get("params")).keys())


def _body(body: JsonValue) -> str | None:
    """Return the body as it was sent, or nothing where the transcript has not all of it."""
    if isinstance(body, str):
        return None if CUT.search(body) else body
    return None if body is None else dumps(body)
