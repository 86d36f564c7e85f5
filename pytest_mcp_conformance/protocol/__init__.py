"""The protocol below every scenario: JSON, JSON-RPC, SSE, HTTP, schema validation and the wire recorder."""
