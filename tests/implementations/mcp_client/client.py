"""An MCP client on the official Python SDK that does what each conformance scenario asks of a client.

    python client.py http://localhost:3000/mcp

It reads what to do from MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION and MCP_CONFORMANCE_CONTEXT, and ends
with exit code 1 and the reason when something went wrong.
"""

import gc
import importlib
import json
import logging
import os
import sys

# The SDK loads a hundred thousand objects that all stay: looking through them is about a tenth of the start.
gc.disable()

# Where the tasks are, by what the name of the scenario begins with; the first that fits.
MODULES = {
    "auth/client-credentials-": "machines",
    "auth/enterprise-": "machines",
    "auth/wif-": "machines",
    "auth/": "authorized",
    "http-": "mirrored_headers",
    "sep-2640-client-": "skills",
    "": "features",
}


def main() -> None:
    """Do what the scenario asks, at the server whose URL is the last argument."""
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    module = next(module for beginning, module in MODULES.items() if scenario.startswith(beginning))
    # Each starts fast with what it needs alone.
    task = importlib.import_module(module).TASKS.get(scenario)
    if task is None:
        sys.exit(f"MCP_CONFORMANCE_SCENARIO is {scenario!r}, which this client does not know.")

    import anyio
    from connection import Run

    logging.basicConfig(level=logging.WARNING)
    anyio.run(
        task,
        Run(
            url=sys.argv[-1],
            revision=os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25"),
            context=json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")),
        ),
    )


if __name__ == "__main__":
    main()
