"""OAuth for the reference client: from the refusal of a request to credentials that are accepted.

`OAuth` is the `Authorizer` of the client. It reads nothing but the server's URL, the context that the harness gives, and what
servers send.
"""

from pytest_mcp_conformance.reference.client.oauth.authorizer import OAuth
from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault

__all__ = ["OAuth", "OAuthFault"]
