"""What the scenario `server-stateless` decides: the rules of requests that stand alone (SEP-2575).

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic
"""

from __future__ import annotations

from pytest_mcp_conformance.model import Level, Requirement, SpecRef

SEP = SpecRef(id="SEP-2575", url="https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2575")
PAGES = "https://modelcontextprotocol.io/specification/2026-07-28"
META = SpecRef(id="MCP-Meta", url=f"{PAGES}/basic#_meta")
DISCOVER = SpecRef(id="MCP-Discover-Result", url=f"{PAGES}/server/discover#discoverresult")
NEGOTIATION = SpecRef(id="MCP-Version-Negotiation", url=f"{PAGES}/basic/versioning#protocol-version-negotiation")
SENDING = SpecRef(id="MCP-HTTP-Sending", url=f"{PAGES}/basic/transports/streamable-http#sending-messages")
OPENING = SpecRef(id="MCP-Subscriptions-Opening", url=f"{PAGES}/basic/patterns/subscriptions#opening-a-stream")
RECEIVING = SpecRef(
    id="MCP-Subscriptions-Receiving", url=f"{PAGES}/basic/patterns/subscriptions#receiving-notifications"
)
ERRORS = SpecRef(id="MCP-Error-Responses", url=f"{PAGES}/basic#error-responses")


def _published(id: str, name: str, text: str, level: Level = Level.MUST) -> Requirement:  # noqa: A002
    return Requirement(id=f"sep-2575-{id}", name=name, level=level, text=text, spec=(SEP,))


def _own(id: str, name: str, text: str, *, place: SpecRef) -> Requirement:  # noqa: A002
    return Requirement(id=f"x-{id}", name=name, level=Level.MUST, text=text, spec=(place,), addition=True)


# What every request carries

NO_META = _published(
    "request-meta-invalid-missing-meta",
    "RequestMetaInvalid",
    "A request without _meta is refused with -32602.",
)
NO_PROTOCOL_VERSION = _published(
    "request-meta-invalid-missing-protocol-version",
    "RequestMetaInvalid",
    "A request without a protocol version in _meta is refused with -32602.",
)
NO_CLIENT_CAPABILITIES = _published(
    "request-meta-invalid-missing-client-capabilities",
    "RequestMetaInvalid",
    "A request without client capabilities in _meta is refused with -32602.",
)
META_INVALID_IS_400 = _published(
    "http-server-meta-invalid-400",
    "HttpServerMetaInvalid400",
    "A request without a required member of _meta is refused with HTTP 400.",
)
CLIENT_INFO_IS_OPTIONAL = _published(
    "request-meta-client-info-optional",
    "RequestMetaClientInfoOptional",
    "A request without client info in _meta is served.",
)
ANONYMOUS_RESULT = _own(
    "anonymous-client-gets-result",
    "AnonymousClientGetsResult",
    "A request without client info in _meta is answered with a result.",
    place=META,
)

# Discovery

IMPLEMENTS_DISCOVER = _published(
    "server-implements-discover",
    "ServerImplementsDiscover",
    "server/discover tells the supported versions and the capabilities.",
)
DISCOVER_LISTS_VERSION = _own(
    "discover-lists-version-in-use",
    "DiscoverListsVersionInUse",
    "The supported versions include the one that the server just answered at.",
    place=DISCOVER,
)
IDENTIFIES_ITSELF = _published(
    "server-identifies-in-result-meta",
    "ServerIdentifiesInResultMeta",
    "A result names the server and its version in _meta.",
    Level.SHOULD,
)
DECLARES_PROMPTS = _published(
    "server-declares-prompts-in-discover",
    "ServerDeclaresPromptsInDiscover",
    "A server that handles prompts/list declares the prompts capability.",
)
CAPABILITIES_MATCH = _published(
    "discover-capabilities-match-handlers",
    "DiscoverCapabilitiesMatchHandlers",
    "The tools capability is declared exactly when tools/list is served.",
)

# Versions

UNSUPPORTED_VERSION = _published(
    "server-unsupported-version-error",
    "ServerUnsupportedVersionError",
    "The error for an unsupported version names the supported ones, as discovery does, and the one requested.",
)
UNSUPPORTED_VERSION_IS_400 = _published(
    "http-server-unsupported-version-400",
    "HttpServerUnsupportedVersion400",
    "A request for an unsupported version is refused with HTTP 400.",
)
UNSUPPORTED_VERSION_CODE = _own(
    "unsupported-version-code",
    "UnsupportedVersionCode",
    "A request for an unsupported version is refused with -32022.",
    place=NEGOTIATION,
)
HEADER_MISMATCH = _published(
    "http-server-header-mismatch-400",
    "HttpServerHeaderMismatch400",
    "A version header that differs from the version in _meta is refused with HTTP 400 and -32020.",
)

# Capabilities of the client

UNDECLARED_CAPABILITY = _published(
    "server-rejects-undeclared-capability",
    "ServerRejectsUndeclaredCapability",
    "A request that needs a capability it does not declare is refused with -32021 and the missing capabilities.",
)
UNDECLARED_CAPABILITY_IS_400 = _published(
    "missing-capability-http-400",
    "MissingCapabilityHttp400",
    "A request that needs a capability it does not declare is refused with HTTP 400.",
)

# Methods

REMOVED_METHODS = {
    method: _published(
        "http-server-method-not-found-404-" + method.replace("/", "-").lower(),
        "HttpServerMethodNotFound404" + method.replace("/", ""),
        f"{method}, which this revision removed, is refused with HTTP 404 and -32601.",
    )
    for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
}
UNKNOWN_METHOD = _published(
    "http-server-method-not-found-404",
    "HttpServerMethodNotFound404",
    "An unknown method is refused with HTTP 404 and -32601.",
)

# Streams of a request

NO_REQUESTS_ON_STREAM = _published(
    "http-server-no-independent-requests-on-stream",
    "HttpServerNoIndependentRequestsOnStream",
    "The stream that answers a request carries no request of the server.",
)
NO_LOG_UNASKED = _published(
    "server-no-log-without-loglevel",
    "ServerNoLogWithoutLogLevel",
    "A request without a log level in _meta gets no log messages.",
)
STREAM_TYPE = _own(
    "several-messages-are-an-event-stream",
    "SeveralMessagesAreAnEventStream",
    "An answer of more than one message, and every subscription, is an event stream.",
    place=SENDING,
)

# Subscriptions

SENDS_ACKNOWLEDGMENT = _published(
    "server-sends-subscription-ack",
    "ServerSendsSubscriptionAck",
    "The first message of a subscription acknowledges it.",
)
TAGS_SUBSCRIPTION = _published(
    "server-tags-subscription-id",
    "ServerTagsSubscriptionId",
    "Every notification of a subscription carries its id in _meta.",
)
SUBSCRIPTION_ID_VALUE = _own(
    "subscription-id-is-request-id",
    "SubscriptionIdIsRequestId",
    "The subscription id is the id of the listen request, type included.",
    place=RECEIVING,
)
HONORS_FILTER = _published(
    "server-honors-notification-filter",
    "ServerHonorsNotificationFilter",
    "A subscription gets no notification of a type that it did not ask for.",
)
FILTER_WITH_CONTROL = _own(
    "notification-filter-against-control",
    "NotificationFilterAgainstControl",
    "A change that another subscription is told of does not reach one that did not ask for it.",
    place=OPENING,
)
SENDS_PROMPTS_CHANGED = _published(
    "server-sends-prompts-list-changed-on-subscription",
    "ServerSendsPromptsListChangedOnSubscription",
    "A server that declares prompts.listChanged tells subscriptions of changed prompts.",
    Level.SHOULD,
)
SENDS_TOOLS_CHANGED = _published(
    "server-sends-tools-list-changed-on-subscription",
    "ServerSendsToolsListChangedOnSubscription",
    "A server that declares tools.listChanged tells subscriptions of changed tools.",
    Level.SHOULD,
)

# Errors

ERROR_HAS_REQUEST_ID = _published(
    "http-server-error-jsonrpc-id",
    "HttpServerErrorJsonrpcId",
    "An error carries the id of its request.",
)
EVERY_ERROR_HAS_REQUEST_ID = _own(
    "every-error-carries-request-id",
    "EveryErrorCarriesRequestId",
    "Every error of the run, header mismatches and unknown methods included, carries the id of its request.",
    place=ERRORS,
)

ALL = (
    NO_META,
    META_INVALID_IS_400,
    NO_PROTOCOL_VERSION,
    NO_CLIENT_CAPABILITIES,
    CLIENT_INFO_IS_OPTIONAL,
    ANONYMOUS_RESULT,
    IMPLEMENTS_DISCOVER,
    DISCOVER_LISTS_VERSION,
    IDENTIFIES_ITSELF,
    DECLARES_PROMPTS,
    CAPABILITIES_MATCH,
    UNSUPPORTED_VERSION,
    UNSUPPORTED_VERSION_IS_400,
    UNSUPPORTED_VERSION_CODE,
    HEADER_MISMATCH,
    UNDECLARED_CAPABILITY,
    UNDECLARED_CAPABILITY_IS_400,
    *REMOVED_METHODS.values(),
    UNKNOWN_METHOD,
    NO_REQUESTS_ON_STREAM,
    NO_LOG_UNASKED,
    STREAM_TYPE,
    SENDS_ACKNOWLEDGMENT,
    TAGS_SUBSCRIPTION,
    SUBSCRIPTION_ID_VALUE,
    HONORS_FILTER,
    FILTER_WITH_CONTROL,
    SENDS_PROMPTS_CHANGED,
    SENDS_TOOLS_CHANGED,
    ERROR_HAS_REQUEST_ID,
    EVERY_ERROR_HAS_REQUEST_ID,
)
