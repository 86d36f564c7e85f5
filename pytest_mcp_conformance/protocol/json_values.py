from pytest_mcp_conformance.json_values import *  # noqa
