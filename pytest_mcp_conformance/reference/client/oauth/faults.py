"""What the OAuth side of the reference client can be told to do wrong. Each sits where the rule is kept."""

from __future__ import annotations

from pytest_mcp_conformance.reference.named_faults import NamedFault


class OAuthFault(NamedFault):
    """One thing done wrong."""

    # Discovery

    RESOURCE_METADATA_SKIPPED = (
        "resource-metadata-skipped",
        "Takes the MCP server's own origin for the authorization server, without asking for resource metadata.",
    )
    ROOT_METADATA_FIRST = (
        "root-metadata-first",
        "Asks for the metadata of the resource at the root of the host before anywhere else.",
    )
    FOREIGN_RESOURCE_ACCEPTED = "foreign-resource-accepted", "Accepts metadata of another resource for its server's."
    SERVER_METADATA_SKIPPED = (
        "server-metadata-skipped",
        "Takes default endpoints below the issuer, without asking for the authorization server's metadata.",
    )
    OLD_WAYS_AT_ANY_REVISION = (
        "old-ways-at-any-revision",
        "Does without the metadata of the resource as at the first revision, at any other, too.",
    )
    ISSUER_PATH_DROPPED = (
        "issuer-path-dropped",
        "Asks for an authorization server's metadata without the path of its issuer, too.",
    )
    METADATA_ISSUER_UNCHECKED = (
        "metadata-issuer-unchecked",
        "Uses metadata of an authorization server that names another issuer.",
    )
    FIRST_SERVER_KEPT = (
        "first-server-kept",
        "Stays with the authorization server that was named first, whatever is named later.",
    )

    # Registration

    METADATA_DOCUMENT_IGNORED = (
        "metadata-document-ignored",
        "Registers where its metadata document would do, and not for refreshing.",
    )
    UNREGISTERED = "unregistered", "Uses a client id that nobody gave it."
    REGISTRATION_UNUSED = "registration-unused", "Registers, and uses another client id than it was given."
    PLAIN_REDIRECT_REGISTERED = (
        "plain-redirect-registered",
        "Registers a redirect URI of another machine without TLS, too.",
    )
    OTHER_REDIRECT_REGISTERED = (
        "other-redirect-registered",
        "Registers another redirect URI than the one to which it has the code sent.",
    )
    NO_APPLICATION_TYPE = "no-application-type", "Registers without its application type."
    GIVEN_CREDENTIALS_IGNORED = (
        "given-credentials-ignored",
        "Registers, by default where no endpoint is named, and asks the user, whatever it was given instead.",
    )
    REGISTERS_ONCE = (
        "registers-once",
        "Registers with the first authorization server alone, and makes up a client id at the next.",
    )
    REGISTERED_FOR_NOTHING = (
        "registered-for-nothing",
        "Registers with every authorization server, and uses what the first one gave.",
    )

    # Scopes

    CHALLENGED_SCOPE_IGNORED = (
        "challenged-scope-ignored",
        "Asks for other scopes than those which the first challenge names.",
    )
    ONE_SUPPORTED_SCOPE = "one-supported-scope", "Asks for the first of the supported scopes alone."
    SCOPE_INVENTED = "scope-invented", "Asks for a scope where none is named."
    OFFLINE_ACCESS_UNSUPPORTED = "offline-access-unsupported", "Asks for offline_access where nobody offers it."
    STEP_UP_UNHEEDED = "step-up-unheeded", "Authorizes again for insufficient scope, for the scopes that it had."
    STEP_UP_FORGETS = "step-up-forgets", "Authorizes again for insufficient scope, for the missing scopes alone."
    STEPS_UP_WITHOUT_END = "steps-up-without-end", "Authorizes again as often as a scope is said to be missing."

    # The authorization request and its response

    CODE_INVENTED = "code-invented", "Makes up an authorization code instead of asking for one."
    RESPONSE_TYPE_UNNAMED = "response-type-unnamed", "Does not say that it asks for a code."
    OTHER_RESPONSE_TYPE = "other-response-type", "Asks for a token in the place of a code."
    NO_CHALLENGE = "no-challenge", "Sends no code challenge."
    CHALLENGE_METHOD_UNNAMED = "challenge-method-unnamed", "Sends a code challenge without saying how it was made."
    NO_RESOURCE_IN_AUTHORIZATION = "no-resource-in-authorization", "Names no resource in the authorization request."
    RESOURCE_WITH_FRAGMENT = "resource-with-fragment", "Names the resource with a fragment, everywhere."
    RESOURCE_WITH_SLASH = "resource-with-slash", "Names the resource with a slash that it does not have, everywhere."
    ISS_IGNORED = "iss-ignored", "Does not compare who answered the authorization request."
    ISS_NORMALIZED = "iss-normalized", "Compares issuers without their trailing slashes."
    ISS_REQUIRED = "iss-required", "Refuses every answer without an issuer."
    ISS_REFUSED = "iss-refused", "Refuses every answer with an issuer."
    MISSING_ISS_ACCEPTED = "missing-iss-accepted", "Accepts an answer without the issuer that was promised."

    # Token requests

    CODE_AS_TOKEN = "code-as-token", "Uses the authorization code as if it were the access token."
    NO_VERIFIER = "no-verifier", "Sends no code verifier."
    OTHER_VERIFIER = "other-verifier", "Sends a code verifier that has nothing to do with the challenge."
    SHORT_VERIFIER = "short-verifier", "Makes code verifiers of 22 characters."
    NO_RESOURCE_IN_TOKEN = "no-resource-in-token", "Names no resource in token requests."
    OTHER_RESOURCE_IN_TOKEN = "other-resource-in-token", "Names the resource with a slash more in token requests."
    OTHER_AUTHENTICATION = "other-authentication", "Authenticates by another method than it should."

    AUTHENTICATES_TWICE = "authenticates-twice", "Sends its secret in the Authorization header and in the body."
    NO_CLIENT_ID = "no-client-id", "Does not say which client it is, where it has no secret."

    # Access tokens

    TOKEN_WITH_POST_ALONE = "token-with-post-alone", "Presents its access token with POST alone."
    TOKEN_IN_QUERY = "token-in-query", "Writes its access token into the query of every request, too."
    INVENTED_TOKEN_FIRST = "invented-token-first", "Tries an access token of its own making first."

    # Proofs of possession

    TOKEN_WITHOUT_PROOF = "token-without-proof", "Sends no proof of possession in token requests."
    BOUND_TOKEN_AS_BEARER = "bound-token-as-bearer", "Sends a bound access token by the scheme Bearer."
    PROOF_REUSED = "proof-reused", "Sends one proof of possession with every request."
    TOKEN_NONCE_IGNORED = "token-nonce-ignored", "Gives up where a token endpoint asks for a nonce."
    SERVER_NONCE_IGNORED = "server-nonce-ignored", "Gives up where an MCP server asks for a nonce."

    # Grants without a user

    GRANT_MISNAMED = "grant-misnamed", "Misspells the grant of token requests that need no user."
    ASSERTION_TYPE_UNNAMED = "assertion-type-unnamed", "Does not say of what type its client assertion is."
    ASSERTION_FOR_ANOTHER = "assertion-for-another", "Signs a client assertion for another authorization server."
    ASSERTION_ISSUER_OTHER = "assertion-issuer-other", "Signs a client assertion as another issuer."
    ASSERTION_WITHOUT_END = "assertion-without-end", "Signs a client assertion that holds for ever."
    ASSERTION_SUBJECT_OTHER = "assertion-subject-other", "Signs a client assertion about another subject."
    EXCHANGE_WITHOUT_RESOURCE = "exchange-without-resource", "Exchanges an identity without naming the resource."
    NO_TOKEN_REQUEST = "no-token-request", "Gives up before a token request that needs no user."
    WORKLOAD_ASSERTION_MISSING = "workload-assertion-missing", "Leaves out the assertion of a workload."
    WORKLOAD_ASSERTION_EXPIRED = "workload-assertion-expired", "Sends the assertion of a workload that has expired."
    WORKLOAD_ASSERTION_FOR_ANOTHER = (
        "workload-assertion-for-another",
        "Sends the assertion of a workload that is meant for another authorization server.",
    )
    WORKLOAD_ASSERTION_ALTERED = "workload-assertion-altered", "Alters the signature of a workload's assertion."
    REFUSED_WORKLOAD_REPEATED = "refused-workload-repeated", "Asks for too much, and asks again when it is refused."
    REFUSED_WORKLOAD_FALLS_BACK = (
        "refused-workload-falls-back",
        "Asks for too much, and tries another grant when it is refused.",
    )
