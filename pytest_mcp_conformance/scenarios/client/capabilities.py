"""What a client declares to support, and so may be asked for."""

from __future__ import annotations

from pytest_mcp_conformance.json_values import JsonObject


def takes_forms(capabilities: JsonObject) -> bool:
    """Tell whether a client may be asked to fill in a form.

    MUST NOT be asked in a mode that it does not support; elicitation without a mode is the form mode: 2025-11-25 and
    2026-07-28, client/elicitation#capabilities
    """
    declared = capabilities.get("elicitation")
    return isinstance(declared, dict) and ("form" in declared or "url" not in declared)
