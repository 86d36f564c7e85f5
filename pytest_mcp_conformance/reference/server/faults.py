"""What the reference server can be told to do wrong.

A fault that breaks a rule in passing sits where the rule is kept, as `if Fault.X in faults`. One that only deforms a single
answer, or refuses a request, is a row of a table in `spoiled/`.
"""

from __future__ import annotations

from pytest_mcp_conformance.reference.named_faults import NamedFault


class Fault(NamedFault):
    """One thing done wrong."""

    # Any message

    MALFORMED_NOTIFICATION = (
        "malformed-notification",
        "Sends a progress notification without token and value ahead of every result.",
    )

    ANSWER_WITHOUT_TYPE = "answer-without-type", "Leaves Content-Type out of every answer that is no stream."
    ERROR_WITHOUT_MESSAGE = "error-without-message", "Leaves the message out of every error."

    # Lifecycle and sessions

    INITIALIZE_WITH_500 = "initialize-with-500", "Answers initialize with HTTP status 500."
    INITIALIZE_UNKNOWN_VERSION = "initialize-unknown-version", "Answers initialize in a version that does not exist."
    SERVER_WEBSITE_NO_URI = "server-website-no-uri", "Names a web site in initialize that is no URI."
    NO_SESSION_ID = "no-session-id", "Assigns no session id, and serves requests without one."
    SESSION_ID_WITH_SPACE = "session-id-with-space", "Assigns session ids with a space in them."
    INITIALIZED_REFUSED = "initialized-refused", "Answers notifications/initialized with HTTP status 400."
    DELETE_WITH_500 = "delete-with-500", "Answers DELETE with HTTP status 500 and keeps the session."
    SESSION_SURVIVES_DELETE = "session-survives-delete", "Accepts DELETE and serves the session on."

    # Security

    FOREIGN_ORIGIN_SERVED = "foreign-origin-served", "Looks at neither Host nor Origin."
    EVERY_ORIGIN_REFUSED = "every-origin-refused", "Refuses every request with an Origin, its own included."

    # Utilities

    PING_WITH_MEMBER = "ping-with-member", "Answers ping with a member in the result."
    SET_LEVEL_WITH_MEMBER = "set-level-with-member", "Answers logging/setLevel with a member in the result."
    COMPLETION_REFUSED = "completion-refused", "Answers completion/complete with an error."
    COMPLETION_WITHOUT_VALUES = "completion-without-values", "Answers completion/complete with an object of values."

    # Tools

    TOOLS_LIST_UNAVAILABLE = "tools-list-unavailable", "Answers tools/list with an error and HTTP status 503."
    TOOL_WITHOUT_DESCRIPTION = "tool-without-description", "Lists a tool without its description."
    TOOL_NAME_WITH_SLASH = "tool-name-with-slash", "Lists a tool with a slash in its name."
    TOOLS_IN_ANY_ORDER = "tools-in-any-order", "Lists the tools in another order each time."
    TEXT_EMPTY = "text-empty", "Returns an empty text from the tool that returns text."
    IMAGE_WITHOUT_DATA = "image-without-data", "Returns an image without data."
    AUDIO_OF_ANOTHER_TYPE = "audio-of-another-type", "Returns a sound of the type audio/x-wav."
    EMBEDDED_WITHOUT_TYPE = "embedded-without-type", "Returns an embedded resource without its media type."
    MIXED_WITHOUT_RESOURCE = "mixed-without-resource", "Leaves the resource out of mixed content."
    TOOL_ERROR_UNMARKED = "tool-error-unmarked", "Returns the failure of a tool as if it had done its work."
    LOGS_HELD_BACK = "logs-held-back", "Sends only log messages of level error and above, whatever level was set."
    PROGRESS_GOES_BACK = "progress-goes-back", "Reports less progress than before."
    PROGRESS_STANDS_STILL = "progress-stands-still", "Reports the same progress twice."
    SAMPLING_SKIPPED = "sampling-skipped", "Makes up what the client's model might say."
    ELICITATION_SKIPPED = "elicitation-skipped", "Makes up what the user might answer."

    # Resources and prompts

    RESOURCE_WITHOUT_NAME = "resource-without-name", "Lists a resource with an empty name."
    TEXT_RESOURCE_WITHOUT_TYPE = "text-resource-without-type", "Reads a text resource without its media type."
    BINARY_RESOURCE_EMPTY = "binary-resource-empty", "Reads a binary resource with an empty blob."
    TEMPLATE_UNFILLED = "template-unfilled", "Reads a resource of a template without the parameter in it."
    SUBSCRIBE_REFUSED = "subscribe-refused", "Answers resources/subscribe with an error."
    UNSUBSCRIBE_REFUSED = "unsubscribe-refused", "Answers resources/unsubscribe with an error."
    MISSING_RESOURCE_EMPTY = "missing-resource-empty", "Reads a resource that does not exist as an empty one."
    MISSING_RESOURCE_OLD_CODE = (
        "missing-resource-old-code",
        "Refuses an unknown resource with -32002 at every revision.",
    )
    MISSING_RESOURCE_UNNAMED = "missing-resource-unnamed", "Refuses an unknown resource without saying which."
    PROMPT_WITHOUT_DESCRIPTION = "prompt-without-description", "Lists a prompt without its description."
    PROMPT_WITHOUT_MESSAGES = "prompt-without-messages", "Gets a prompt that has no messages."
    PROMPT_ARGUMENTS_IGNORED = "prompt-arguments-ignored", "Gets a prompt without its arguments in it."
    PROMPT_WITHOUT_RESOURCE = "prompt-without-resource", "Gets a prompt with a text where the resource belongs."
    PROMPT_IMAGE_EMPTY = "prompt-image-empty", "Gets a prompt with an image without data."

    # Caching

    TOOLS_LIST_WITHOUT_TTL = "tools-list-without-ttl", "Leaves ttlMs out of tools/list."
    PROMPTS_LIST_WITHOUT_TTL = "prompts-list-without-ttl", "Leaves ttlMs out of prompts/list."
    RESOURCES_LIST_WITHOUT_TTL = "resources-list-without-ttl", "Leaves ttlMs out of resources/list."
    TEMPLATES_LIST_WITHOUT_TTL = "templates-list-without-ttl", "Leaves ttlMs out of resources/templates/list."
    RESOURCE_WITHOUT_TTL = "resource-without-ttl", "Leaves ttlMs out of resources/read."
    TTL_NEGATIVE = "ttl-negative", "Says that tools/list may be kept for less than no time."
    CACHE_SCOPE_UNKNOWN = "cache-scope-unknown", "Says that tools/list may be kept by somebody unheard of."

    # Streams

    RECONNECTION_TOOL_MISSING = "reconnection-tool-missing", "Refuses the tool that closes connections with status 400."
    RECONNECTION_TOOL_500 = "reconnection-tool-500", "Answers the tool that closes connections with HTTP status 500."
    STREAM_WITHOUT_BODY = (
        "stream-without-body",
        "Answers the tool that closes connections with an event stream and 204.",
    )
    RECONNECTION_TOOL_FAILS = (
        "reconnection-tool-fails",
        "Fails in the tool that closes connections instead of closing it.",
    )
    PRIMING_WITH_DATA = "priming-with-data", "Begins a stream with an event that has data."
    NO_RETRY_FIELD = "no-retry-field", "Closes connections without saying when to come back."
    LAST_EVENT_ID_REFUSED = "last-event-id-refused", "Refuses to resume any stream."
    LIST_BREAKS_OFF = (
        "list-breaks-off",
        "Answers tools/list with a stream and closes the connection in the middle of it.",
    )

    # JSON Schema

    RICH_TOOL_RENAMED = "rich-tool-renamed", "Lists the tool with the rich schema under another name."
    SCHEMA_OTHER_DIALECT = "schema-other-dialect", "Says draft-07 in the rich schema."
    SCHEMA_WITHOUT_DEFINITIONS = "schema-without-definitions", "Leaves $defs out of the rich schema."
    SCHEMA_DEFINITIONS_NO_OBJECT = "schema-definitions-no-object", "Puts a text where $defs belong."
    SCHEMA_OPEN = "schema-open", "Allows additional properties in the rich schema."
    SCHEMA_WITHOUT_COMPOSITION = "schema-without-composition", "Leaves allOf out of the rich schema."
    SCHEMA_WITHOUT_CONDITION = "schema-without-condition", "Leaves else out of the rich schema."
    SCHEMA_WITHOUT_ANCHOR = "schema-without-anchor", "Leaves $anchor out of the rich schema."

    # Forms

    DEFAULT_STRING_OTHER = "default-string-other", "Asks with another default for the text."
    DEFAULT_INTEGER_OTHER = "default-integer-other", "Asks with another default for the integer."
    DEFAULT_NUMBER_OTHER = "default-number-other", "Asks with another default for the number."
    DEFAULT_CHOICE_OTHER = "default-choice-other", "Asks with another default for the choice."
    DEFAULT_BOOLEAN_OTHER = "default-boolean-other", "Asks with another default for the yes or no."
    UNTITLED_SINGLE_WITH_NAMES = "untitled-single-with-names", "Asks for an untitled choice with names."
    TITLED_SINGLE_UNTITLED = "titled-single-untitled", "Asks for a titled choice without titles."
    LEGACY_NAMES_TOO_FEW = "legacy-names-too-few", "Asks for a choice of the old form with fewer names than values."
    UNTITLED_MULTI_TITLED = "untitled-multi-titled", "Asks for an untitled selection with titles."
    TITLED_MULTI_UNTITLED = "titled-multi-untitled", "Asks for a titled selection without titles."

    # Metadata of requests (2026-07-28)

    META_MISSING_OTHER_CODE = "meta-missing-other-code", "Refuses a request without _meta with the code -32600."
    META_WITHOUT_VERSION_OTHER_CODE = (
        "meta-without-version-other-code",
        "Refuses a _meta without protocolVersion with the code -32600.",
    )
    META_WITHOUT_CAPABILITIES_OTHER_CODE = (
        "meta-without-capabilities-other-code",
        "Refuses a _meta without clientCapabilities with the code -32600.",
    )
    META_INVALID_WITH_200 = "meta-invalid-with-200", "Refuses an incomplete _meta with HTTP status 200."
    CLIENT_INFO_REQUIRED = "client-info-required", "Refuses a _meta without clientInfo."
    ERROR_ID_OTHER = "error-id-other", "Answers a refused server/discover under another id."

    # Discovery and versions (2026-07-28)

    DISCOVER_WITHOUT_VERSIONS = "discover-without-versions", "Leaves supportedVersions out of server/discover."
    DISCOVER_ANONYMOUS = "discover-anonymous", "Leaves its name out of server/discover."
    PROMPTS_UNDECLARED = "prompts-undeclared", "Has prompts and does not declare them."
    UNSUPPORTED_VERSION_UNNAMED = (
        "unsupported-version-unnamed",
        "Refuses a version without saying which one was asked for.",
    )
    UNSUPPORTED_VERSION_OTHER_CODE = "unsupported-version-other-code", "Refuses a version with the code -32602."
    UNSUPPORTED_VERSION_WITH_200 = "unsupported-version-with-200", "Refuses a version with HTTP status 200."
    CAPABILITY_AS_NULL = "capability-as-null", "Says null where the missing capability belongs."
    CAPABILITY_WITH_200 = "capability-with-200", "Refuses for a missing capability with HTTP status 200."

    # Methods that are gone, methods that never were (2026-07-28)

    INITIALIZE_GONE_WITH_200 = "initialize-gone-with-200", "Refuses initialize with HTTP status 200."
    PING_GONE_WITH_200 = "ping-gone-with-200", "Refuses ping with HTTP status 200."
    SET_LEVEL_GONE_WITH_200 = "set-level-gone-with-200", "Refuses logging/setLevel with HTTP status 200."
    SUBSCRIBE_GONE_WITH_200 = "subscribe-gone-with-200", "Refuses resources/subscribe with HTTP status 200."
    UNSUBSCRIBE_GONE_WITH_200 = "unsubscribe-gone-with-200", "Refuses resources/unsubscribe with HTTP status 200."
    UNKNOWN_METHOD_WITHOUT_ID = (
        "unknown-method-without-id",
        "Refuses methods that no revision has without the request's id.",
    )
    UNKNOWN_METHOD_WITH_200 = "unknown-method-with-200", "Refuses methods that no revision has with HTTP status 200."

    # Streams and subscriptions (2026-07-28)

    REQUEST_ON_STREAM = "request-on-stream", "Sends a request of its own on the stream of an answer."
    LOGS_UNASKED = "logs-unasked", "Sends log messages for requests that name no level."
    ACKNOWLEDGED_BY_ANOTHER_NAME = (
        "acknowledged-by-another-name",
        "Acknowledges a subscription by a notification of its own.",
    )
    CHANGES_UNTAGGED = "changes-untagged", "Sends changes without the id of the subscription."
    SUBSCRIPTION_ID_AS_TEXT = "subscription-id-as-text", "Names a subscription by the text of its number."
    STREAM_OF_ANOTHER_TYPE = "stream-of-another-type", "Sends event streams under the type application/json."
    FILTER_IGNORED = "filter-ignored", "Sends every change to every subscription."
    PROMPT_CHANGES_KEPT = "prompt-changes-kept", "Tells nobody that the prompts changed."
    TOOL_CHANGES_KEPT = "tool-changes-kept", "Tells nobody that the tools changed."

    # Headers that repeat the body (2026-07-28)

    HEADER_MISMATCH_WITH_200 = "header-mismatch-with-200", "Refuses headers that do not match with HTTP status 200."
    HEADER_MISMATCH_OTHER_CODE = "header-mismatch-other-code", "Refuses headers that do not match with the code -32600."
    METHOD_HEADER_UNCHECKED = "method-header-unchecked", "Does not look at Mcp-Method."
    METHOD_HEADER_OPTIONAL = "method-header-optional", "Serves requests without Mcp-Method."
    METHOD_HEADER_ANY_CASE = "method-header-any-case", "Compares the value of Mcp-Method without case."
    METHOD_HEADER_BY_SPELLING = "method-header-by-spelling", "Knows Mcp-Method in two spellings only."
    NAME_HEADER_UNCHECKED = "name-header-unchecked", "Does not look at Mcp-Name."
    NAME_HEADER_OPTIONAL = "name-header-optional", "Serves requests without Mcp-Name."
    NAME_HEADER_NEVER_RIGHT = "name-header-never-right", "Compares Mcp-Name with the method."
    PARAM_HEADER_UNCHECKED = "param-header-unchecked", "Does not look at Mcp-Param headers."
    PARAM_HEADER_OPTIONAL = "param-header-optional", "Serves calls without their Mcp-Param headers."
    PARAM_HEADER_OF_ANOTHER_VALUE = (
        "param-header-of-another-value",
        "Serves calls whose Mcp-Param headers say another value.",
    )
    PARAM_HEADER_NOT_DECODED = "param-header-not-decoded", "Compares Mcp-Param headers without decoding them."
    PARAM_HEADER_ALWAYS_DECODED = "param-header-always-decoded", "Decodes Mcp-Param headers that only look like Base64."
    PARAM_HEADER_DECODED_LENIENTLY = "param-header-decoded-leniently", "Decodes Base64 that is none."
    MIRRORED_TOOL_PLAIN = "mirrored-tool-plain", "Lists no tool whose arguments are mirrored."
    MIRRORED_TOOL_WITHOUT_TEXT = "mirrored-tool-without-text", "Lists a tool of whose arguments no text is mirrored."

    # Input in rounds (2026-07-28)

    INPUT_NEVER_ASKED = "input-never-asked", "Makes up what the client might answer."
    INPUT_ASKED_FOREVER = "input-asked-forever", "Asks again, whatever was answered."
    INPUT_REFUSED_WHEN_INCOMPLETE = "input-refused-when-incomplete", "Refuses answers among which one is missing."
    INPUT_EXTRA_REFUSED = "input-extra-refused", "Refuses answers that were not asked for."
    INPUT_UNVALIDATED = "input-unvalidated", "Takes anything for an answer."
    INPUT_NULL_AS_NONE = "input-null-as-none", "Takes null for no answers, and asks."
    INPUT_NULL_TAKEN = "input-null-taken", "Takes null for all answers."
    INPUT_RESULT_TYPE_OMITTED = "input-result-type-omitted", "Asks without resultType."
    INPUT_ASKED_BY_LIST = "input-asked-by-list", "Asks for input in answer to tools/list."
    INPUT_ASKED_BY_RESOURCES = "input-asked-by-resources", "Asks for input in answer to resources/list."
    INPUT_ASKED_FOR_NOTHING = "input-asked-for-nothing", "Asks without saying for what."
    ROOTS_ASKED_UNDECLARED = "roots-asked-undeclared", "Asks for the roots of clients that declare none."
    STATE_OMITTED = "state-omitted", "Asks without sending state along."
    STATE_NEVER_CHANGES = "state-never-changes", "Sends the state of the first round in every round."
    STATE_NEVER_ACCEPTED = "state-never-accepted", "Refuses every state, its own included."
    STATE_UNVERIFIED = "state-unverified", "Trusts the state that comes back."
    CAPABILITIES_IGNORED = "capabilities-ignored", "Asks for what the client did not declare."

    # Tasks

    TASKS_UNADVERTISED = "tasks-unadvertised", "Has the extension for tasks and does not say so."
    TASKS_UNGATED = "tasks-ungated", "Serves tasks/get, tasks/update and tasks/cancel to anybody."
    TASKS_GATE_NAMES_NOTHING = "tasks-gate-names-nothing", "Refuses tasks/get without saying which extension it needs."
    TASKS_TOLD_UNGATED = "tasks-told-ungated", "Lets anybody subscribe to tasks."
    TASK_UNDECLARED = "task-undeclared", "Returns a task to clients that did not declare the extension."
    TASKS_NEVER_CREATED = "tasks-never-created", "Does everything at once."
    GREETING_AS_TASK = "greeting-as-task", "Makes a task of a greeting."
    GREETING_OTHER = "greeting-other", "Greets in other words."
    OLD_TASK_PARAM_HONOURED = "old-task-param-honoured", "Makes a task of a call because it has a parameter task."
    TASK_CREATED_LONG_AGO = "task-created-long-ago", "Says in words when a task was created."
    TASK_WITHOUT_ID = "task-without-id", "Returns a task without its id."
    INSTANT_TASK_WITHOUT_ID = "instant-task-without-id", "Returns a task that needs no time without its id."
    JOB_WITHOUT_ID = "job-without-id", "Returns the task of a failing job without its id."
    TASK_WITH_OLD_TTL = "task-with-old-ttl", "Says in ttl how long a task is kept."
    TASK_CREATED_WITH_STATE = "task-created-with-state", "Returns a task with requestState."
    TASK_SHOWN_WITH_STATE = "task-shown-with-state", "Answers tasks/get with requestState."
    TASK_UNDER_ANOTHER_ID = "task-under-another-id", "Answers tasks/get with the id of another task."
    TASK_WITHOUT_UPDATE_TIME = "task-without-update-time", "Does not tell when a task was last updated."
    TASK_TOLD_WITHOUT_RESULT = "task-told-without-result", "Tells of the end of a task without its result."
    TASK_LOGS_TOLD = "task-logs-told", "Sends log messages on subscriptions to tasks."
    TASK_NAME_HEADER_UNCHECKED = (
        "task-name-header-unchecked",
        "Does not compare Mcp-Name on tasks/update and tasks/cancel.",
    )
    TASK_RESULT_EMPTY = "task-result-empty", "Answers tasks/get with a result without content."
    TASK_RESULT_WITH_RELATED_TASK = (
        "task-result-with-related-task",
        "Names the task once more in the _meta of its result.",
    )
    TASK_FAILS_WITH_TOOL = "task-fails-with-tool", "Calls a task failed because its tool failed."
    TASK_ERROR_WITHOUT_MESSAGE = "task-error-without-message", "Leaves the message out of the error of a failed task."
    TASK_FORGOTTEN_ONCE_READ = "task-forgotten-once-read", "Forgets a task as soon as its end was told."
    UNKNOWN_TASK_OTHER_CODE = "unknown-task-other-code", "Refuses an unknown task with the code -32603."
    CANCEL_SHOWS_TASK = "cancel-shows-task", "Answers tasks/cancel with the task."
    CANCEL_OF_FINISHED_REFUSED = "cancel-of-finished-refused", "Refuses tasks/cancel for a task that is over."
    UPDATE_SHOWS_TASK = "update-shows-task", "Answers tasks/update with the id of the task."
    UPDATE_OF_TYPE_TASK = "update-of-type-task", "Answers tasks/update with the result type task."
    ANSWERED_STAYS_ASKED = "answered-stays-asked", "Goes on asking for what was answered."
    ASKED_IN_OTHER_WORDS = "asked-in-other-words", "Asks something else under the same key as soon as it is answered."
    DELETES_UNASKED = "deletes-unasked", "Does not ask before it deletes a file."
    ASKED_WITHOUT_METHOD = "asked-without-method", "Asks within a task without saying how."
    TASKS_RESULT_KNOWN = "tasks-result-known", "Refuses tasks/result as a method that it has."
    TASKS_LIST_KNOWN = "tasks-list-known", "Refuses tasks/list as a method that it has."
    JOB_REFUSED_WITH_OTHER_CODE = "job-refused-with-other-code", "Refuses a job that needs a task with the code -32602."
    JOB_REFUSED_WITHOUT_DATA = "job-refused-without-data", "Refuses a job that needs a task without data."
    JOB_REFUSED_WITHOUT_EXTENSION = "job-refused-without-extension", "Does not say which extension a job needs."

    # Skills

    SKILLS_DECLARED_BY_TRUE = "skills-declared-by-true", "Declares the extension for skills with true."
    SKILLS_DECLARED_WITH_CONFIG = "skills-declared-with-config", "Declares the extension for skills in an envelope."
    RESOURCES_UNDECLARED = "resources-undeclared", "Has resources and does not declare them."
    SKILLS_LIST_REFUSED = "skills-list-refused", "Does not know skills/list."
    SKILLS_GET_REFUSED = "skills-get-refused", "Does not know skills/get."
    SKILLS_CURSOR_REPEATED = "skills-cursor-repeated", "Gives the cursor of the second page on the second page."
    SKILL_ON_TWO_PAGES = "skill-on-two-pages", "Lists a skill on two pages."
    SKILLS_LIST_WITHOUT_TTL = "skills-list-without-ttl", "Leaves ttlMs out of skills/list."
    SKILLS_PAGE_WITHOUT_LIST = "skills-page-without-list", "Answers the last page of skills/list without skills."
    SKILL_LISTED_WITH_LICENSE = (
        "skill-listed-with-license",
        "Lists the second skill with a license that it does not have.",
    )
    SKILL_DIGEST_WRONG = "skill-digest-wrong", "Lists a file with the digest of another."
    SKILL_WITHOUT_URI = "skill-without-uri", "Lists a skill without its URI."
    SKILL_WITHOUT_DESCRIPTION = "skill-without-description", "Lists a skill without its description."
    SKILL_UNDER_ANOTHER_NAME = "skill-under-another-name", "Lists a skill whose name is not in its URI."
    SKILL_OF_ANOTHER_SCHEME = "skill-of-another-scheme", "Lists a skill with an https URI."
    SKILL_RESOURCES_UNKNOWN = "skill-resources-unknown", "Says of a skill that its resources are static."
    SKILL_WITHOUT_MANIFEST = "skill-without-manifest", "Leaves the manifest out of the resources of a skill."
    SKILL_FILE_OUTSIDE = "skill-file-outside", "Lists a file outside a skill among its resources."
    SKILL_DIGEST_SHORT = "skill-digest-short", "Lists a file with a digest that is none."
    SKILL_SIZE_NEGATIVE = "skill-size-negative", "Lists a file that is smaller than nothing."
    SKILL_FILES_TOO_MANY = "skill-files-too-many", "Lists a skill with more than 512 files."
    SKILL_FILES_TOO_LARGE = "skill-files-too-large", "Lists a skill with more than 16 MiB of files."
    SKILL_METADATA_RESERVED = "skill-metadata-reserved", "Uses a reserved prefix in the metadata of a skill."
    SKILL_NAME_ODD = "skill-name-odd", "Lists a skill whose name has capitals and two hyphens in a row."
    SKILL_AUTHORITY_ODD = "skill-authority-odd", "Lists a skill with a port in its URI."
    SKILL_NAME_TWICE = "skill-name-twice", "Lists two skills of one name."
    SKILL_GOT_OF_ANOTHER_URI = "skill-got-of-another-uri", "Gets a skill with another URI than was asked for."
    SKILL_GOT_WITH_LICENSE = "skill-got-with-license", "Gets a skill with a license that it lists it without."
    SKILL_GOT_WITH_CURSOR = "skill-got-with-cursor", "Gets a skill with a cursor."
    SKILL_GOT_WITHOUT_TTL = "skill-got-without-ttl", "Leaves ttlMs out of skills/get."
    UNKNOWN_SKILL_OTHER_CODE = "unknown-skill-other-code", "Refuses an unknown skill with the code -32603."
    MANIFEST_BINARY = "manifest-binary", "Reads a manifest as a blob."
    MANIFEST_WITHOUT_FRONTMATTER = "manifest-without-frontmatter", "Reads a manifest without frontmatter."
    FRONTMATTER_DIFFERS = "frontmatter-differs", "Lists a skill with more frontmatter than its manifest has."
    MANIFEST_OF_PLAIN_TEXT = "manifest-of-plain-text", "Reads a manifest as text/plain."
    MANIFEST_OF_ANOTHER_SKILL = (
        "manifest-of-another-skill",
        "Lists and reads a manifest under another name than its URI has.",
    )
    MANIFEST_LISTED_BY_FILE_NAME = "manifest-listed-by-file-name", "Lists manifests by their file names."
    MANIFEST_LISTED_IN_OTHER_WORDS = "manifest-listed-in-other-words", "Lists a manifest with another description."
    MANIFEST_META_WITHOUT_PREFIX = (
        "manifest-meta-without-prefix",
        "Reads a manifest with a key without prefix in _meta.",
    )
    MANIFEST_META_OF_ANOTHER_PREFIX = (
        "manifest-meta-of-another-prefix",
        "Reads a manifest with a key of another prefix in _meta.",
    )
    DIRECTORY_READ_REFUSED = "directory-read-refused", "Does not know resources/directory/read."
    CHILD_WITHOUT_URI = "child-without-uri", "Lists a file of a directory without its URI."
    CHILD_WITHOUT_NAME = "child-without-name", "Lists a file of a directory without its name."
    DIRECTORY_LISTED_BY_ITS_FILE = "directory-listed-by-its-file", "Lists a directory with the URI of the file in it."
    UNKNOWN_DIRECTORY_EMPTY = "unknown-directory-empty", "Takes a directory that is not there for an empty one."
    DIRECTORIES_WITHOUT_TYPE = "directories-without-type", "Lists directories without their media type."
    NO_DIRECTORY_OTHER_CODE = "no-directory-other-code", "Refuses to read a file as a directory with the code -32603."
    DIRECTORY_CURSOR_REFUSED = "directory-cursor-refused", "Refuses the cursor that it gave for a directory."
