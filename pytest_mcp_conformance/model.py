"""The vocabulary: revisions, scenarios, requirements, checks and outcomes. Values only; nothing here does anything.

A *scenario* is one conversation with an implementation at one revision. It *decides* requirements; each decision is a
*check*. The checks of a run, and how the run ended, are its *outcome*.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum

from pytest_mcp_conformance.json_values import JsonObject, JsonValue

TASKS_EXTENSION = "io.modelcontextprotocol/tasks"
SKILLS_EXTENSION = "io.modelcontextprotocol/skills"


class Revision(StrEnum):
    """A released revision of the specification, in the order of release."""

    V2025_03_26 = "2025-03-26"
    V2025_06_18 = "2025-06-18"
    V2025_11_25 = "2025-11-25"
    V2026_07_28 = "2026-07-28"

    @property
    def stateless(self) -> bool:
        """Whether every request of this revision stands alone, without initialize and session."""
        return self >= Revision.V2026_07_28


DRAFT = Revision.V2026_07_28  # what the word `draft` names
LATEST_STATEFUL = Revision.V2025_11_25


class Leg(StrEnum):
    """Which side is under test."""

    SERVER = "server"
    CLIENT = "client"
    AUTHORIZATION = "authorization"


class Level(StrEnum):
    """The keyword of a requirement (BCP 14). It sets the severity of a failure."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Status(StrEnum):
    """How one check ended."""

    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    WARNING = "WARNING"
    SKIPPED = "SKIPPED"
    INFO = "INFO"


class Ending(StrEnum):
    """How one run of a scenario ended."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    NOT_APPLICABLE = "not applicable"
    COULD_NOT_RUN = "could not run"
    HARNESS_ERROR = "harness error"


@dataclass(frozen=True, kw_only=True)
class SpecRef:
    """A place in the specification."""

    id: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One rule that a scenario decides.

    `id` and `name` are published and never change. `since` and `until` (exclusive) bound the revisions at which the rule
    is decided, where they are narrower than the scenario's own window. `exceptional` marks an id that is emitted only when
    something is off: its absence is the good case. `addition` marks a check that the published suite does not have.
    """

    id: str
    name: str
    level: Level
    text: str
    spec: tuple[SpecRef, ...]
    since: Revision | None = None
    until: Revision | None = None
    exceptional: bool = False
    addition: bool = False

    def applies_at(self, revision: Revision) -> bool:
        """Tell whether the requirement is decided at `revision`."""
        return (self.since is None or self.since <= revision) and (self.until is None or revision < self.until)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool that a scenario needs the server under test to have."""

    name: str
    returns: str = ""
    behaviour: str = ""
    input_schema: JsonObject = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A resource, or with `template` a family of them, that a scenario needs the server under test to have."""

    uri: str
    returns: str
    template: bool = False


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt that a scenario needs the server under test to have; `arguments` are the names of required ones."""

    name: str
    returns: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What a scenario needs of the implementation under test. Empty: any implementation will do.

    `methods` and `other` are sentences for the page «what your server must expose»; `capabilities` are the members of the
    server's declared capabilities that the scenario is about, as dotted paths (`resources.subscribe`).
    """

    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    methods: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


Body = Callable[..., Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One conversation, declared: everything that selects, lists or documents it, and the coroutine that holds it.

    Exactly one of `introduced_in` and `extension` is set. `charged` is the requirement that fails when the conversation
    breaks down; `alone` says that timing decides, so nothing else may run beside it. `waits` are the seconds that its
    windows take on an implementation that does everything at once: those that wait longest are started first. `task` tells
    the author of a client what the client has to do, and `allows_client_error` that it may end with an exit code other than 0.
    """

    name: str
    leg: Leg
    purpose: str
    decides: tuple[Requirement, ...]
    body: Body
    charged: Requirement
    introduced_in: Revision | None = None
    removed_in: Revision | None = None
    extension: str | None = None
    pending: bool = False
    lists: frozenset[str] = frozenset()
    needs: Needs = Needs()
    transports: frozenset[str] = frozenset({"http"})
    alone: bool = False
    waits: float = 0.0
    task: str = ""
    allows_client_error: bool = False
    module: str = ""

    def applies_at(self, revision: Revision) -> bool:
        """Tell whether `revision` is in the scenario's window. Extensions have none and are never in it."""
        if self.introduced_in is None:
            return False
        return self.introduced_in <= revision and (self.removed_in is None or revision < self.removed_in)

    @property
    def implied_revision(self) -> Revision:
        """The revision of a run that names none.

        Extensions of the server leg live on the newest wire; everything else not new in it runs at the last stateful one.
        """
        new = self.introduced_in == DRAFT
        server_extension = self.leg is Leg.SERVER and self.extension is not None
        return DRAFT if new or server_extension else LATEST_STATEFUL


@dataclass(frozen=True, kw_only=True)
class Check:
    """One decision, as it is written to `checks.json`.

    `expected` and `got` are one-line texts for the reader; `message` is the reason of anything but a success. `entry` is
    the number of the last transcript entry when the decision fell.
    """

    id: str
    name: str
    description: str
    status: Status
    level: Level
    timestamp: str
    spec: tuple[SpecRef, ...]
    message: str | None = None
    expected: str | None = None
    got: str | None = None
    details: JsonObject | None = None
    entry: int | None = None
    addition: bool = False


@dataclass(frozen=True, kw_only=True)
class ClientEnd:
    """How a client under test ended.

    :ivar exit_code: that of the shell; none where a signal, or the harness after the timeout, ended it.
    :ivar signal: the name of the signal that ended it, by its own doing or another's.
    :ivar timed_out: it still ran when the time was over, and was ended.
    :ivar watched: it was a process of the harness; one that somebody else starts ends unseen.
    :ivar stdout: what it wrote; of very much, the beginning and the end.
    """

    exit_code: int | None = None
    signal: str | None = None
    timed_out: bool = False
    watched: bool = True
    seconds: float = 0.0
    stdout: bytes = b""
    stderr: bytes = b""

    @property
    def told(self) -> str:
        """How it ended, as a predicate: `ended with exit code 1`."""
        if not self.watched:
            return "was not started, or not against this URL"
        if self.timed_out:
            return f"still ran after {self.seconds:.1f} s and was ended"
        if self.exit_code is None:
            return f"was ended by {self.signal or 'a signal'}"
        return f"ended with exit code {self.exit_code}" + (f" ({self.signal})" if self.signal else "")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How one scenario ended at one revision.

    `reason` says why it did not run, or holds the traceback of a harness error. `unreached` are ids of declared
    requirements that the run never decided. `transcript` are the entries of `wire.jsonl`. `beside_others` is the ending of a
    first run beside other scenarios that was not good and was therefore repeated alone; all else is of the repetition.
    `client` is how the client under test ended, where a command was run.
    """

    scenario: str
    leg: Leg
    revision: Revision
    ending: Ending
    checks: tuple[Check, ...] = ()
    reason: str | None = None
    unreached: tuple[str, ...] = ()
    transcript: tuple[JsonValue, ...] = ()
    seconds: float = 0.0
    beside_others: Ending | None = None
    client: ClientEnd | None = None

    @property
    def id(self) -> str:
        """The scenario and its revision: `tools-list@2025-11-25`."""
        return f"{self.scenario}@{self.revision.value}"
