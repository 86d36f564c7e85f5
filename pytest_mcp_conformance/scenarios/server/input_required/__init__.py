"""Requests that the server cannot answer before the client has given its input (SEP-2322).

Specification: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
"""
