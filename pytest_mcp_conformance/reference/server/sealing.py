"""State that travels through the client and must come back as it left: signed, bound to its request, and short-lived.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Callable

from pytest_mcp_conformance.json_values import JsonObject, NotJson, as_object, dumps, is_number, loads
from pytest_mcp_conformance.reference.server.faults import Fault
from pytest_mcp_conformance.serving.incoming import Request
from pytest_mcp_conformance.serving.refusals import invalid_params

LIFETIME_SECONDS = 300.0  # long enough for a person to fill in a form
NOT_SALIENT = ("_meta", "inputResponses", "requestState")  # what may differ between a request and its retry


class Sealer:
    """Seals and opens request state. Each has its own key, so that state of another server does not open.

    :param clock: seconds since some fixed moment.
    """

    def __init__(self, clock: Callable[[], float], faults: frozenset[Fault] = frozenset()) -> None:
        self._faults = faults
        self._first: dict[str, str] = {}
        self._key = secrets.token_bytes(32)
        self._clock = clock

    def seal(self, content: JsonObject, request: Request) -> str:
        """Return `content` as an opaque text that opens only on a retry of `request`."""
        payload: JsonObject = {
            "content": content,
            "expires": self._clock() + LIFETIME_SECONDS,
            "request": fingerprint(request),
        }
        body = base64.urlsafe_b64encode(dumps(payload).encode()).decode()
        sealed = f"{body}.{self._signature(body)}"
        if Fault.STATE_NEVER_CHANGES in self._faults:
            return self._first.setdefault(fingerprint(request), sealed)
        return sealed

    def open(self, state: str, request: Request) -> JsonObject:
        """Return the content that was sealed.

        MUST reject state that fails verification; SHOULD reject it when it lapsed or belongs to another request:
        2026-07-28, basic/patterns/mrtr#server-requirements-basic-workflow, items 4 and 5

        :raises Refusal: the state is not what this server gave out for this request, or it is too old.
        """
        body, _, signature = state.partition(".")
        intact = hmac.compare_digest(signature.encode(), self._signature(body).encode())
        if Fault.STATE_NEVER_ACCEPTED in self._faults or (not intact and Fault.STATE_UNVERIFIED not in self._faults):
            raise invalid_params("The request state is not the one that was given out")
        payload = self._payload(body)
        expires = payload.get("expires")
        if not is_number(expires) or self._clock() >= expires:
            raise invalid_params("The request state has expired")
        if payload.get("request") != fingerprint(request):
            raise invalid_params("The request state belongs to another request")
        return as_object(payload.get("content"))

    @staticmethod
    def _payload(body: str) -> JsonObject:
        try:
            return as_object(loads(base64.urlsafe_b64decode(body)))
        except (binascii.Error, NotJson, ValueError):  # signed, hence ours, hence readable; but a key can leak
            return {}

    def _signature(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()


def fingerprint(request: Request) -> str:
    """Return a digest of what makes `request` the same request when it is tried again."""
    salient = {name: value for name, value in request.params.items() if name not in NOT_SALIENT}
    return hashlib.sha256(dumps([request.method, dict(sorted(salient.items()))]).encode()).hexdigest()
