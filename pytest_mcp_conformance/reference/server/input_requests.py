"""What a server may ask its client for, and what it makes of the answers.

The same requests travel in two ways: as JSON-RPC requests up to 2025-11-25, inside an `input_required` result from then on.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_mcp_conformance.json_values import JsonObject, JsonValue, as_list, as_object
from pytest_mcp_conformance.serving.schemas import complaint

ELICIT = "elicitation/create"
SAMPLE = "sampling/createMessage"
LIST_ROOTS = "roots/list"


@dataclass(frozen=True, kw_only=True)
class InputRequest:
    """One thing asked of the client; `params` is absent where the method needs none."""

    method: str
    params: JsonObject

    def as_json(self) -> JsonObject:
        """Return the request as it stands inside `inputRequests`."""
        return {"method": self.method, "params": self.params}


def elicit(message: str, properties: JsonObject, *, required: tuple[str, ...] = ()) -> InputRequest:
    """Ask the user to fill in a form."""
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return InputRequest(method=ELICIT, params={"message": message, "requestedSchema": schema})


def sample(prompt: str, *, max_tokens: int) -> InputRequest:
    """Ask the client's model to go on from `prompt`."""
    messages: list[JsonValue] = [{"role": "user", "content": {"type": "text", "text": prompt}}]
    return InputRequest(method=SAMPLE, params={"messages": messages, "maxTokens": max_tokens})


def list_roots() -> InputRequest:
    """Ask for the folders the client works in."""
    return InputRequest(method=LIST_ROOTS, params={})


def needed_capability(request: InputRequest) -> JsonObject:
    """Return the capabilities that a client must declare to be asked `request`."""
    match request.method:
        case "sampling/createMessage":
            return {"sampling": {}}
        case "roots/list":
            return {"roots": {}}
        case _:
            return {"elicitation": {"form": {}}}


def declares(capabilities: JsonObject, needed: JsonObject) -> bool:
    """Tell whether `capabilities` has every member of `needed`, at every depth.

    An empty elicitation capability means forms: 2025-11-25, client/elicitation#capabilities
    """
    if capabilities.get("elicitation") == {}:
        capabilities = capabilities | {"elicitation": {"form": {}}}
    return all(
        name in capabilities and declares(as_object(capabilities[name]), as_object(value))
        for name, value in needed.items()
    )


def why_unusable(request: InputRequest, answer: JsonValue) -> str | None:
    """Return what is wrong with `answer` as the result of `request`, or nothing.

    SHOULD validate the data that the client provides: 2026-07-28, basic/patterns/mrtr#error-handling
    """
    if not isinstance(answer, dict):
        return f"the answer to {request.method} is no object"
    match request.method:
        case "sampling/createMessage":
            whole = isinstance(answer.get("model"), str) and isinstance(answer.get("content"), dict | list)
            return None if whole and answer.get("role") in ("user", "assistant") else "the sampled message is malformed"
        case "roots/list":
            roots = answer.get("roots")
            uris = [as_object(root).get("uri") for root in as_list(roots)]
            whole = isinstance(roots, list) and all(isinstance(uri, str) for uri in uris)
            return None if whole else "the list of roots is malformed"
        case _:
            return _why_unusable_form(as_object(request.params.get("requestedSchema")), answer)


def _why_unusable_form(schema: JsonObject, answer: JsonObject) -> str | None:
    if answer.get("action") in ("decline", "cancel"):
        return None
    if answer.get("action") != "accept":
        return "the action of the answer is none of accept, decline and cancel"
    return complaint(schema, answer.get("content", {}))


def form_content(answer: JsonObject) -> JsonObject | None:
    """Return what the user filled in, or nothing if they declined or went away."""
    return as_object(answer.get("content")) if answer.get("action") == "accept" else None


def sampled_text(answer: JsonObject) -> str:
    """Return the text of a sampled message, empty when it has none."""
    content = answer.get("content")
    blocks = content if isinstance(content, list) else [content]
    return "".join(str(as_object(block).get("text", "")) for block in blocks)
