"""Which definition judges which message: the maps that are derived from the schemas.

They are pinned because a schema written in another way would empty them in silence, and with that reduce every verdict to
one on the envelope.
"""

from __future__ import annotations

import pytest

from pytest_mcp_conformance.model import Revision
from pytest_mcp_conformance.protocol.schema_definitions import message_types

R03, R06, R11, R07 = Revision
of_every_revision = pytest.mark.parametrize("revision", list(Revision), ids=str)

METHODS_ALWAYS = {
    "tools/list": "ListToolsRequest",
    "tools/call": "CallToolRequest",
    "prompts/list": "ListPromptsRequest",
    "prompts/get": "GetPromptRequest",
    "resources/list": "ListResourcesRequest",
    "resources/read": "ReadResourceRequest",
    "resources/templates/list": "ListResourceTemplatesRequest",
    "completion/complete": "CompleteRequest",
    "sampling/createMessage": "CreateMessageRequest",
    "roots/list": "ListRootsRequest",
    "notifications/cancelled": "CancelledNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
}
METHODS_STATEFUL = METHODS_ALWAYS | {
    "initialize": "InitializeRequest",
    "ping": "PingRequest",
    "logging/setLevel": "SetLevelRequest",
    "resources/subscribe": "SubscribeRequest",
    "resources/unsubscribe": "UnsubscribeRequest",
    "notifications/initialized": "InitializedNotification",
    "notifications/roots/list_changed": "RootsListChangedNotification",
}
METHODS = {
    R03: METHODS_STATEFUL,
    R06: METHODS_STATEFUL | {"elicitation/create": "ElicitRequest"},
    R11: METHODS_STATEFUL
    | {
        "elicitation/create": "ElicitRequest",
        "notifications/elicitation/complete": "ElicitationCompleteNotification",
        "tasks/get": "GetTaskRequest",
        "tasks/result": "GetTaskPayloadRequest",
        "tasks/list": "ListTasksRequest",
        "tasks/cancel": "CancelTaskRequest",
        "notifications/tasks/status": "TaskStatusNotification",
    },
    R07: METHODS_ALWAYS
    | {
        "elicitation/create": "ElicitRequest",
        "server/discover": "DiscoverRequest",
        "subscriptions/listen": "SubscriptionsListenRequest",
        "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
    },
}
WITHOUT_TYPED_RESULT = {"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}
ERRORS = {
    R03: {},
    R06: {},
    R11: {-32042: "URLElicitationRequiredError"},
    R07: {
        -32020: "HeaderMismatchError",
        -32021: "MissingRequiredClientCapabilityError",
        -32022: "UnsupportedProtocolVersionError",
    },
}


@of_every_revision
def test_every_method_of_a_revision_has_its_definition(revision: Revision) -> None:
    assert message_types(revision).by_method == METHODS[revision]


@of_every_revision
def test_every_request_but_four_has_a_result_of_its_own(revision: Revision) -> None:
    assert message_types(revision).result_of == {
        method: name.removesuffix("Request") + "Result"
        for method, name in METHODS[revision].items()
        if name.endswith("Request") and method not in WITHOUT_TYPED_RESULT
    }


@of_every_revision
def test_error_codes_with_a_shape_of_their_own(revision: Revision) -> None:
    assert message_types(revision).by_error_code == ERRORS[revision]


@of_every_revision
def test_the_envelopes_of_a_revision(revision: Revision) -> None:
    types = message_types(revision)
    assert (types.request, types.notification, types.any) == ("JSONRPCRequest", "JSONRPCNotification", "JSONRPCMessage")
    older = revision in {R03, R06}
    assert types.result == ("JSONRPCResponse" if older else "JSONRPCResultResponse")
    assert types.error == ("JSONRPCError" if older else "JSONRPCErrorResponse")
    assert types.input_required == ("InputRequiredResult" if revision is R07 else None)
