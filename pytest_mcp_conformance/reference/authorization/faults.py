"""What the reference authorization server can be told to do wrong; each sits where the rule is kept."""

from __future__ import annotations

from pytest_mcp_conformance.reference.named_faults import NamedFault


class AuthorizationFault(NamedFault):
    """One thing done wrong."""

    # Metadata

    METADATA_MISSING = "metadata-missing", "Publishes its metadata nowhere."
    METADATA_AS_TEXT = "metadata-as-text", "Declares its metadata to be plain text."
    METADATA_NO_JSON = "metadata-no-json", "Publishes metadata that is a page of HTML."
    METADATA_A_LIST = "metadata-a-list", "Publishes its metadata within a list."
    NO_AUTHORIZATION_ENDPOINT = "no-authorization-endpoint", "Leaves authorization_endpoint out of the metadata."
    NO_TOKEN_ENDPOINT = "no-token-endpoint", "Leaves token_endpoint out of the metadata."
    NO_CODE_RESPONSE_TYPE = "no-code-response-type", "Lists only the response type token."
    NO_RESPONSE_TYPES = "no-response-types", "Leaves response_types_supported out of the metadata."
    PKCE_UNANNOUNCED = "pkce-unannounced", "Leaves code_challenge_methods_supported out of the metadata."
    PKCE_PLAIN_ONLY = "pkce-plain-only", "Lists only the code challenge method plain."
    ISSUER_WITH_SLASH = "issuer-with-slash", "Names itself with a slash at the end."
    CIMD_UNANNOUNCED = "cimd-unannounced", "Does not say that clients may be named by the URL of their metadata."

    # Authorization response

    ACCESS_DENIED = "access-denied", "Redirects with an error although the user agreed."
    STATE_LEFT_OUT = "state-left-out", "Redirects without the state."
    STATE_CHANGED = "state-changed", "Redirects with a state of its own."
    STATE_TWICE = "state-twice", "Redirects with the state twice."
    CODE_LEFT_OUT = "code-left-out", "Redirects without a code."
    CODE_TWICE = "code-twice", "Redirects with the code twice."
    FOREIGN_ISS = "foreign-iss", "Redirects with the issuer of somebody else."
    ISS_TWICE = "iss-twice", "Redirects with its issuer twice."
    ISS_LEFT_OUT = "iss-left-out", "Announces that it names its issuer when it redirects, and does not."
    REDIRECT_WITH_SLASH = "redirect-with-slash", "Redirects to the redirect URI with a slash at its end."
    CONSENT_WITHOUT_REDIRECT = "consent-without-redirect", "Keeps the user on a page of its own after consent."

    # Token response

    TOKEN_REFUSED = "token-refused", "Refuses every code."
    TOKEN_WITH_201 = "token-with-201", "Answers with HTTP status 201 where tokens are issued."
    TOKEN_NO_JSON = "token-no-json", "Issues tokens as a form."
    TOKEN_A_LIST = "token-a-list", "Issues tokens within a list."
    TOKEN_AS_TEXT = "token-as-text", "Declares its token response to be plain text."
    TOKEN_CACHEABLE = "token-cacheable", "Lets caches store its token response."
    NO_ACCESS_TOKEN = "no-access-token", "Leaves access_token out of the token response."
    NO_TOKEN_TYPE = "no-token-type", "Leaves token_type out of the token response."
    CHALLENGE_MISREAD = "challenge-misread", "Compares the code verifier itself with the code challenge."
