"""The authorization endpoint: a page that asks the user, and the redirect that follows.

Source: RFC 6749, 4.1.1 and 4.1.2; RFC 7636, 4.3; RFC 9207, 2.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from html import escape
from urllib.parse import urlencode

from pytest_mcp_conformance.reference.authorization.clients import client_named
from pytest_mcp_conformance.reference.authorization.errors import Refused, Untrusted, invalid_request
from pytest_mcp_conformance.reference.authorization.faults import AuthorizationFault as Fault
from pytest_mcp_conformance.reference.authorization.grants import Grants
from pytest_mcp_conformance.reference.authorization.metadata import AUTHORIZE, HTML, SCOPES
from pytest_mcp_conformance.reference.authorization.parameters import Parameters
from pytest_mcp_conformance.serving.http import HttpReply

CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")  # of S256: RFC 7636, 4.2
QUESTIONS_KEPT = 1_000  # the oldest are forgotten first
# No other page shows the question in a frame, and no address of it travels on: RFC 9700, 4.16 and 4.2.4
PAGE_HEADERS = HTML | {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """An authorization request that the user has yet to decide."""

    client_id: str
    redirect_uri: str
    state: str | None
    challenge: str = ""
    scope: str = ""
    resources: tuple[str, ...] = ()


class ConsentDesk:
    """Asks users and sends them back to the client with the answer."""

    def __init__(self, grants: Grants, faults: frozenset[Fault]) -> None:
        self._grants = grants
        self._faults = faults
        self._questions: dict[str, Question] = {}

    async def ask(self, query: str, issuer: str) -> HttpReply:
        """Answer an authorization request: with the page that asks the user, or with a refusal."""
        try:
            parameters = Parameters(query)
            question = await _addressed(parameters)
        except Refused as refused:
            return page(f"<h1>Not possible</h1><p>{escape(refused.told)}.</p>", status=400)
        try:
            question = _completed(question, parameters)
        except Refused as refused:
            return self._redirect(question, {"error": refused.code, "error_description": refused.told}, issuer)
        ticket = secrets.token_urlsafe(32)
        while len(self._questions) >= QUESTIONS_KEPT:
            self._questions.pop(next(iter(self._questions)))
        self._questions[ticket] = question
        return page(
            f"<h1>Allow access?</h1><p>The client <b>{escape(question.client_id)}</b> asks for access. You would be sent"
            f" to {escape(question.redirect_uri)}.</p>"
            f'<form method="post" action="{AUTHORIZE}"><input type="hidden" name="ticket" value="{ticket}">'
            '<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>'
        )

    def decide(self, form: str, issuer: str) -> HttpReply:
        """Take the answer of the user and send them back to the client."""
        try:
            parameters = Parameters(form)
            question = self._questions.pop(parameters.required("ticket"), None)
            decision = parameters.optional("decision")
        except Refused as refused:
            return page(f"<h1>Not possible</h1><p>{escape(refused.told)}.</p>", status=400)
        if question is None:
            return page("<h1>Not possible</h1><p>This question was answered before.</p>", status=400)
        if Fault.CONSENT_WITHOUT_REDIRECT in self._faults:
            return page("<h1>Thank you</h1>")
        if decision != "allow" or Fault.ACCESS_DENIED in self._faults:
            answer = {"error": "access_denied", "error_description": "The user does not allow it"}
            return self._redirect(question, answer, issuer)
        grant = self._grants.add(
            client_id=question.client_id,
            redirect_uri=question.redirect_uri,
            challenge=question.challenge,
            scope=question.scope,
            resources=question.resources,
        )
        return self._redirect(question, {"code": grant.code}, issuer)

    def _redirect(self, question: Question, answer: dict[str, str], issuer: str) -> HttpReply:
        """Send the user to the client.

        MUST return the state as it came: RFC 6749, 4.1.2. MUST name the issuer, errors included: RFC 9207, 2.
        """
        faults = self._faults
        parameters = list(answer.items())
        if Fault.CODE_LEFT_OUT in faults:
            parameters = [each for each in parameters if each[0] != "code"]
        if Fault.CODE_TWICE in faults:
            parameters *= 2
        if question.state is not None and Fault.STATE_LEFT_OUT not in faults:
            state = secrets.token_urlsafe(32) if Fault.STATE_CHANGED in faults else question.state
            parameters += [("state", state)] * (2 if Fault.STATE_TWICE in faults else 1)
        if Fault.ISS_LEFT_OUT not in faults:
            iss = "https://somebody-else.example" if Fault.FOREIGN_ISS in faults else issuer
            parameters += [("iss", iss)] * (2 if Fault.ISS_TWICE in faults else 1)
        uri = f"{question.redirect_uri}/" if Fault.REDIRECT_WITH_SLASH in faults else question.redirect_uri
        # MUST retain the query that the redirect URI has: RFC 6749, 3.1.2
        location = f"{uri}{'&' if '?' in uri else '?'}{urlencode(parameters)}"
        # SHOULD be 303, with which no browser posts the form again: RFC 9700, 4.12
        return HttpReply(status=303, headers={"location": location, "cache-control": "no-store"})


async def _addressed(parameters: Parameters) -> Question:
    """Return where an authorization request is to be answered.

    MUST NOT redirect where client or redirect URI are not right: RFC 6749, 4.1.2.1

    :raises Refused: it is to be answered nowhere but on a page.
    """
    client = await client_named(parameters.required("client_id"))
    redirect_uri = parameters.required("redirect_uri")
    if not client.may_be_sent_to(redirect_uri):
        raise Untrusted("invalid_request", "This redirect URI is not registered for the client")
    try:
        state = parameters.optional("state")
    except Refused:
        state = None
    return Question(client_id=client.id, redirect_uri=redirect_uri, state=state)


def _completed(question: Question, parameters: Parameters) -> Question:
    """Return the whole question.

    :raises Refused: it cannot be asked; the client is told by a redirect.
    """
    parameters.check_single()
    if parameters.required("response_type") != "code":
        raise Refused("unsupported_response_type", "The response type is code")
    challenge = parameters.required("code_challenge")
    # MUST be S256: the only method that the metadata has
    if parameters.optional("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(challenge):
        raise invalid_request("The code challenge is one of the method S256")
    scope = parameters.optional("scope") or ""
    if not set(scope.split()) <= set(SCOPES):
        raise Refused("invalid_scope", f"The scopes are {' '.join(SCOPES)}")
    return replace(question, challenge=challenge, scope=scope, resources=parameters.resources)


def page(body: str, *, status: int = 200) -> HttpReply:
    """Return a page for the user."""
    text = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Reference authorization server</title>{body}</html>"
    )
    return HttpReply(status=status, headers=PAGE_HEADERS, body=text.encode())
