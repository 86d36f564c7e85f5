"""What the reference client can be told to do wrong.

A fault sits where the rule is kept that it breaks, as `if Fault.X in faults`.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, TypeAlias

from pytest_mcp_conformance.reference.named_faults import NamedFault

if TYPE_CHECKING:
    from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault


class Fault(NamedFault):
    """One thing done wrong."""

    # Any scenario

    MALFORMED_NOTIFICATION = (
        "malformed-notification",
        "Sends a progress notification without token and value before it ends.",
    )
    ENDS_WITH_CODE_3 = "ends-with-code-3", "Ends with exit code 3, although all went well."
    TOOLS_UNLISTED = "tools-unlisted", "Does not ask which tools there are."
    TOOLS_UNCALLED = "tools-uncalled", "Calls no tool."
    CALLS_UNATTRIBUTED = (
        "calls-unattributed",
        "Leaves out of its calls of tools which session they belong to, or where there is none, which version.",
    )
    NUMBERS_AS_TEXT = "numbers-as-text", "Sends texts where a tool wants numbers."

    # Lifecycle and streams, up to 2025-11-25

    NAME_EMPTY = "name-empty", "Leaves the name empty by which a client introduces itself."
    UNKNOWN_VERSION_OFFERED = "unknown-version-offered", "Offers in initialize a version that does not exist."
    INITIALIZED_UNSENT = "initialized-unsent", "Goes on after initialize without saying that it is ready."
    SESSION_ID_WITH_POST_ALONE = "session-id-with-post-alone", "Sends the id of its session with POST alone."
    OTHER_VERSION_NAMED = (
        "other-version-named",
        "Names an older version in MCP-Protocol-Version than was agreed on in initialize.",
    )
    NOTHING_GOTTEN = "nothing-gotten", "Sends no GET, neither to listen nor to come back to a stream."
    RETRY_IGNORED = "retry-ignored", "Comes back to a stream at once, whatever its server said about waiting."
    LAST_EVENT_ID_OMITTED = "last-event-id-omitted", "Comes back to a stream without saying which event it had last."
    LAST_EVENT_ID_INVENTED = (
        "last-event-id-invented",
        "Comes back to a stream with the id of an event that it did not get.",
    )

    # Forms

    FORM_DECLINED = "form-declined", "Declines every form."
    FORM_WITH_NULL = "form-with-null", "Sends back every form with a member that is null."
    FORM_WITHOUT_TEXTS = "form-without-texts", "Leaves out the fields of a form that are plain texts."
    FORM_WITHOUT_INTEGERS = "form-without-integers", "Leaves out the fields of a form that are integers."
    FORM_WITHOUT_NUMBERS = "form-without-numbers", "Leaves out the fields of a form that are numbers."
    FORM_WITHOUT_CHOICES = "form-without-choices", "Leaves out the fields of a form that offer a choice."
    FORM_WITHOUT_BOOLEANS = "form-without-booleans", "Leaves out the fields of a form that are true or false."

    # Metadata of requests, from 2026-07-28 on

    VERSION_HEADER_OMITTED = "version-header-omitted", "Sends no MCP-Protocol-Version."
    VERSION_HEADER_OLDER = "version-header-older", "Sends an older version in MCP-Protocol-Version than in the body."
    CAPABILITIES_UNDECLARED = "capabilities-undeclared", "Does not say in its requests what it is capable of."
    ANONYMOUS = "anonymous", "Does not say in its requests who it is."
    ROOTS_DECLARED_BY_TRUE = "roots-declared-by-true", "Declares roots with true."
    SAMPLING_DECLARED_BY_TRUE = "sampling-declared-by-true", "Declares sampling with true."
    ELICITATION_DECLARED_BY_TRUE = "elicitation-declared-by-true", "Declares elicitation with true."
    VERSION_REFUSAL_FINAL = (
        "version-refusal-final",
        "Gives up when its version is refused, whatever is offered instead.",
    )

    # Input in rounds

    STATE_ALTERED = "state-altered", "Sends state back with a blank behind it."
    STATE_INVENTED = "state-invented", "Sends state where the server gave none."
    STATE_LEAKED = "state-leaked", "Sends the state of one request with the next ones, too."
    ROUND_WITH_SAME_ID = "round-with-same-id", "Sends a request again under its id when input was asked for."
    NO_TYPE_AS_INPUT_REQUIRED = "no-type-as-input-required", "Takes a result without a type for a request for input."

    # Headers that repeat the body

    METHOD_HEADER_OMITTED = "method-header-omitted", "Sends no Mcp-Method."
    METHOD_HEADER_ONCE = "method-header-once", "Sends Mcp-Method with the first request of each method alone."
    NAME_HEADER_ONCE = "name-header-once", "Sends Mcp-Name with the first request of each method alone."
    METHOD_HEADER_IN_CAPITALS = "method-header-in-capitals", "Writes the method in Mcp-Method in capitals."
    NAME_HEADER_OMITTED = "name-header-omitted", "Sends no Mcp-Name."
    PARAM_HEADERS_OMITTED = "param-headers-omitted", "Sends no Mcp-Param headers."
    PARAM_HEADERS_OF_ALL = "param-headers-of-all", "Sends an Mcp-Param header for every argument, asked for or not."
    PARAM_HEADERS_OF_NULL = "param-headers-of-null", "Sends an Mcp-Param header for an argument that is null."
    BOOLEANS_CAPITALISED = "booleans-capitalised", "Writes True and False into headers."
    VALUES_PERCENT_ENCODED = (
        "values-percent-encoded",
        "Writes values into headers with percent signs where Base64 belongs.",
    )
    ANNOTATED_TOOLS_REJECTED = (
        "annotated-tools-rejected",
        "Rejects every tool with an argument that goes into a header.",
    )
    HEADER_WITHOUT_NAME_TAKEN = "header-without-name-taken", "Takes tools whose header has an empty name."
    HEADER_OF_ANY_TYPE_TAKEN = "header-of-any-type-taken", "Takes tools with a header for an argument of any type."
    HEADER_TWICE_TAKEN = "header-twice-taken", "Takes tools with two headers of one name."
    HEADER_OF_ANY_NAME_TAKEN = "header-of-any-name-taken", "Takes tools whose header has a name with any characters."

    # Schemas of tools

    SCHEMA_FETCHED = "schema-fetched", "Fetches what the schema of a tool refers to."
    DIALECT_DROPPED = "dialect-dropped", "Loses $schema from the schema of a tool."
    DEFINITIONS_DROPPED = "definitions-dropped", "Loses $defs from the schema of a tool."
    CLOSING_DROPPED = "closing-dropped", "Loses additionalProperties from the schema of a tool."
    COMPOSITION_DROPPED = "composition-dropped", "Loses allOf, anyOf and oneOf from the schema of a tool."
    CONDITIONS_DROPPED = "conditions-dropped", "Loses if, then and else from the schema of a tool."
    ANCHORS_DROPPED = "anchors-dropped", "Loses $anchor from the schema of a tool."

    # Skills

    SKILLS_PREFETCHED = "skills-prefetched", "Reads the files of every skill as soon as it is listed."
    SKILL_DIGEST_UNCHECKED = "skill-digest-unchecked", "Uses files of a skill whatever their digest."
    SKILL_INTEGRITY_UNCHECKED = "skill-integrity-unchecked", "Uses files of a skill whatever their size and digest."
    SKILL_FRONTMATTER_UNCHECKED = "skill-frontmatter-unchecked", "Uses a skill that describes itself in other words."


Faults: TypeAlias = AbstractSet[str]
"""What is done wrong, by name: members of `Fault` and of `OAuthFault`."""


def every_fault() -> tuple[Fault | OAuthFault, ...]:
    """Return all faults, those of the authorization last."""
    from pytest_mcp_conformance.reference.client.oauth.faults import OAuthFault  # what it lies in is not always needed

    return (*Fault, *OAuthFault)
