"""The scenarios of the client leg: what the specification asks of clients."""
