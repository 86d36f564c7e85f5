"""The reference client: what it sends, and that nothing a server sends breaks it."""
