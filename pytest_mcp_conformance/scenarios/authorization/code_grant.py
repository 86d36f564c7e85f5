"""The authorization code grant with PKCE: one user agrees once, and the client gets a token.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-flow-steps
"""

from __future__ import annotations

from pytest_mcp_conformance.authorization import AuthorizationPeer
from pytest_mcp_conformance.authorization.credentials import chosen_authentication, without_tokens
from pytest_mcp_conformance.authorization.discovery import Published
from pytest_mcp_conformance.authorization.redirect import MAX_PARAMETERS, Redirect
from pytest_mcp_conformance.authorization.settings import CALLBACK_PATH, http_url_problem
from pytest_mcp_conformance.authorization.showable import shown_address, shown_error, shown_words
from pytest_mcp_conformance.checks import Checks
from pytest_mcp_conformance.json_values import JsonObject, Shown, as_object, shown
from pytest_mcp_conformance.model import Level, Needs, Requirement, SpecRef
from pytest_mcp_conformance.protocol.http import HttpAnswer
from pytest_mcp_conformance.protocol.media_types import JSON
from pytest_mcp_conformance.scenarios.authorization.metadata import problems_of
from pytest_mcp_conformance.scenarios.declaration import authorization_scenario

CODE_GRANT = Requirement(
    id="authorization-code-grant",
    name="AuthorizationCodeGrant",
    level=Level.MUST,
    text="A user's consent brings a code back to the client, which redeems it for an access token.",
    spec=(
        SpecRef(
            id="OAUTH-2.1-authorization-code-grant",
            url="https://www.ietf.org/archive/id/draft-ietf-oauth-v2-1-13.html#section-4.1",
        ),
    ),
)
ISS_SENT = Requirement(
    id="x-authorization-response-iss",
    name="AuthorizationResponseIss",
    level=Level.MUST,
    text="A server that announces the parameter iss sends it with every authorization response.",
    spec=(SpecRef(id="RFC-9207-iss-parameter", url="https://www.rfc-editor.org/rfc/rfc9207.html#section-2"),),
    addition=True,
)
ISS_ANNOUNCED = "authorization_response_iss_parameter_supported"
FLOW = "a code for the user's consent, and a token for the code"


@authorization_scenario(
    name="authorization-code-grant",
    introduced_in="2025-03-26",
    purpose="A user agrees in a browser; redirect and token response of the authorization code grant are as they must be.",
    needs=Needs(
        other=(
            "A client with the redirect URI `http://127.0.0.1:<port>/callback`; its id, and any secret, are in the settings.",
            "Metadata that passes `authorization-server-metadata-endpoint`.",
        )
    ),
    decides=(CODE_GRANT, ISS_SENT),
)
async def code_grant(target: AuthorizationPeer, checks: Checks) -> None:
    if target.settings.client_id is None:
        checks.skip(CODE_GRANT, "no client id was given, so there is no client to go through the flow as")
        return
    found = await target.metadata()
    if problems := problems_of(found, target.settings.url):
        checks.fail(CODE_GRANT, expected="metadata that a client can use", got=Shown(", ".join(problems)))
        return
    metadata = (found.document or {}) if isinstance(found, Published) else {}
    methods = metadata.get("token_endpoint_auth_methods_supported")
    authentication = chosen_authentication(methods, target.settings.client_secret)
    if authentication is None:
        checks.skip(CODE_GRANT, f"no method of client authentication that can be used here is among {shown(methods)}")
        return
    authorize, token = str(metadata["authorization_endpoint"]), str(metadata["token_endpoint"])
    if problems := [
        *_address_problems("authorization_endpoint", authorize, target.settings.url),
        *_address_problems("token_endpoint", token, target.settings.url),
    ]:
        checks.fail(CODE_GRANT, expected="endpoints that a client can use", got=Shown(", ".join(problems)))
        return

    authorization = await target.authorize(authorize)
    redirect = authorization.redirect
    _decide_iss(checks, metadata, redirect)
    if fatal := _refusal(redirect, authorization.fresh.state):
        checks.fail(CODE_GRANT, expected="a redirect with the state that was sent and a code", got=Shown(fatal))
        return

    answer = await target.redeem(authorization, redirect.values("code")[0], token, authentication)
    tokens = as_object(answer.json())
    problems = [*_redirect_problems(redirect, target.settings.url), *_token_problems(answer, tokens)]
    details: JsonObject = {
        "authorizationRequest": authorization.request_url,
        "authorizationResponseUrl": authorization.shown_redirect,
        "body": without_tokens(tokens),
    }
    got = Shown(", ".join(problems))
    checks.decide(CODE_GRANT, not problems, expected=FLOW, got=got, details=None if problems else details)


def _address_problems(member: str, url: str, issuer: str) -> list[str]:
    """Return why an endpoint cannot be used.

    It may be on another host. MUST NOT have a fragment, MUST use TLS: RFC 6749, 3.1 and 3.2; where the issuer does not, the
    whole server is one of a developer's machine or network.
    """
    if problem := http_url_problem(url):
        return [f"{member}: {problem}"]
    if "#" in url:
        return [f"{member} has a fragment: {shown(url)}"]
    if issuer.startswith("https:") and not url.startswith("https:"):
        return [f"{member} is not protected by TLS: {shown(url)}"]
    return []


def _decide_iss(checks: Checks, metadata: JsonObject, redirect: Redirect) -> None:
    # MUST send iss where it is announced, MUST announce it where it is sent: RFC 9207, 2 and 3
    if metadata.get(ISS_ANNOUNCED) is not True:
        checks.skip(ISS_SENT, f"{ISS_ANNOUNCED} is not true")
        return
    if redirect.unread:
        checks.skip(ISS_SENT, "the redirect has more parameters than are read")
        return
    checks.decide(ISS_SENT, bool(redirect.values("iss")), expected="the parameter iss, as announced", got=Shown("none"))


def _refusal(redirect: Redirect, state: str) -> str | None:
    """Say why no token can be asked for, or nothing."""
    if redirect.unread:
        return f"{redirect.unread} parameters, of which at most {MAX_PARAMETERS} are read"
    if errors := redirect.values("error"):
        described = redirect.values("error_description")
        told = f": {shown(shown_words(described[0]))}" if described else ""
        return f"error {shown(shown_error(errors[0]))}{told}"
    # MUST return the state as it was sent, and a client MUST NOT go on with another: RFC 6749, 4.1.2 and 10.12
    states, codes = redirect.values("state"), redirect.values("code")
    if states != [state]:
        return "another state" if len(states) == 1 else f"{len(states)} times state"
    # MUST NOT occur more than once: RFC 6749, 3.1
    if len(codes) != 1:
        return f"{len(codes)} times code"
    return None if codes[0] else "an empty code"


def _redirect_problems(redirect: Redirect, issuer: str) -> list[str]:
    """Return what is wrong with a redirect that a client can still go on from."""
    problems = []
    # MUST redirect to exactly the redirect URI: RFC 9700, 4.1.3
    if redirect.path != CALLBACK_PATH:
        problems.append(f"the redirect leads to {shown(redirect.path)} and not to {CALLBACK_PATH}")
    # MUST be identical to the issuer of the metadata, where it is sent: RFC 9207, 2.4
    iss = redirect.values("iss")
    if iss not in ([], [issuer]):
        other = f"iss is {shown(shown_address(iss[0], issuer))} and not {shown(issuer)}" if len(iss) == 1 else ""
        problems.append(other or f"{len(iss)} times iss")
    return problems


def _token_problems(answer: HttpAnswer, tokens: JsonObject) -> list[str]:
    """Return what is wrong with a token response.

    MUST be 200 and JSON with access_token and token_type, MUST NOT be stored by caches: RFC 6749, 5.1.
    """
    if answer.status != 200:
        told = f" with {shown(without_tokens(tokens))}" if tokens else ""
        return [f"the token request was answered with status {answer.status}{told}"]
    if not isinstance(answer.json(), dict):
        return ["the body of the token response is no JSON object"]
    content_type, cache_control = answer.headers.get("content-type", ""), answer.headers.get("cache-control", "")
    problems = []
    if JSON not in content_type.lower():
        problems.append(f"the token response has Content-Type {shown(content_type)}")
    if "no-store" not in cache_control.lower():
        problems.append(f"the token response has Cache-Control {shown(cache_control)}, without no-store")
    problems += [
        f"the token response has no text as {member}"
        for member in ("access_token", "token_type")
        if not isinstance(tokens.get(member), str)
    ]
    return problems
