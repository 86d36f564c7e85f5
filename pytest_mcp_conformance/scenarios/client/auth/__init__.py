"""Authorization: how a client gets the token that a server asks for.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
"""
