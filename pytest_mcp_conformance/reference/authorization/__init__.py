"""A conforming authorization server, which can be told to do any one thing wrong.

It is what the authorization leg runs against when nothing else is given, and the ground on which its checks are shown to be
able to fail.
"""

from pytest_mcp_conformance.reference.authorization.app import ReferenceAuthorizationServer
from pytest_mcp_conformance.reference.authorization.clients import CONFIDENTIAL, PUBLIC
from pytest_mcp_conformance.reference.authorization.faults import AuthorizationFault
from pytest_mcp_conformance.reference.authorization.serving import running_authorization_server

__all__ = [
    "CONFIDENTIAL",
    "PUBLIC",
    "AuthorizationFault",
    "ReferenceAuthorizationServer",
    "running_authorization_server",
]
