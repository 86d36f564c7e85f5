"""Tool calls that go on after they were answered: the tasks extension (SEP-2663).

Specification: https://modelcontextprotocol.io/seps/2663-tasks-extension
"""
