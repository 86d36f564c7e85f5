"""The token endpoint.

Source: RFC 6749, 3.2, 5.1 and 5.2.
"""

from __future__ import annotations

from urllib.parse import urlencode

from pytest_mcp_conformance.json_values import JsonObject
from pytest_mcp_conformance.protocol.media_types import media_type_of
from pytest_mcp_conformance.reference.authorization.clients import authenticated
from pytest_mcp_conformance.reference.authorization.errors import Refused, invalid_request
from pytest_mcp_conformance.reference.authorization.faults import AuthorizationFault as Fault
from pytest_mcp_conformance.reference.authorization.grants import Grants
from pytest_mcp_conformance.reference.authorization.parameters import Parameters
from pytest_mcp_conformance.serving.http import Headers, HttpReply, HttpRequest, json_reply

FORM = "application/x-www-form-urlencoded"
NOT_STORED = {"cache-control": "no-store", "pragma": "no-cache"}  # MUST: RFC 6749, 5.1


def token_reply(http: HttpRequest, grants: Grants, faults: frozenset[Fault]) -> HttpReply:
    """Answer a token request."""
    try:
        tokens = _granted(http, grants)
    except Refused as refused:
        return _refusal(refused, http.headers)
    return _spoiled(tokens, faults)


def _granted(http: HttpRequest, grants: Grants) -> JsonObject:
    if media_type_of(http.headers.get("content-type")) != FORM:
        raise invalid_request(f"A token request is {FORM}")
    parameters = Parameters(http.body.decode(errors="replace"))
    parameters.check_single()
    client_id = authenticated(http.headers, parameters)
    match parameters.required("grant_type"):
        case "authorization_code":
            return grants.redeem(
                code=parameters.required("code"),
                client_id=client_id,
                redirect_uri=parameters.required("redirect_uri"),
                verifier=parameters.required("code_verifier"),
                resources=parameters.resources,
            )
        case "refresh_token":
            return grants.refresh(
                refresh_token=parameters.required("refresh_token"),
                client_id=client_id,
                scope=parameters.optional("scope"),
                resources=parameters.resources,
            )
        case _:
            raise Refused("unsupported_grant_type", "The grant types are authorization_code and refresh_token")


def _refusal(refused: Refused, headers: Headers) -> HttpReply:
    # MUST name the scheme that the client used: RFC 6749, 5.2
    challenged = refused.status == 401 and headers.get("authorization") is not None
    fields = NOT_STORED | ({"www-authenticate": 'Basic realm="token"'} if challenged else {})
    body: JsonObject = {"error": refused.code, "error_description": refused.told}
    return json_reply(body, status=refused.status, headers=fields)


def _spoiled(tokens: JsonObject, faults: frozenset[Fault]) -> HttpReply:
    """Return the response that carries `tokens`, with what the faults do to it."""
    if Fault.NO_ACCESS_TOKEN in faults:
        del tokens["access_token"]
    if Fault.NO_TOKEN_TYPE in faults:
        del tokens["token_type"]
    headers = {} if Fault.TOKEN_CACHEABLE in faults else dict(NOT_STORED)
    if Fault.TOKEN_NO_JSON in faults:
        return HttpReply(status=200, headers=headers | {"content-type": FORM}, body=urlencode(tokens).encode())
    if Fault.TOKEN_AS_TEXT in faults:
        headers["content-type"] = "text/plain"
    status = 201 if Fault.TOKEN_WITH_201 in faults else 200
    return json_reply([tokens] if Fault.TOKEN_A_LIST in faults else tokens, status=status, headers=headers)
