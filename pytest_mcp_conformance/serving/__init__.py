"""What every MCP server of this package is made of: HTTP below MCP, streams, reading messages, refusing them, a port.

The reference server and the mock servers stand on it. Nothing here can be told to do something wrong.
"""
