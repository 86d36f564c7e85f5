"""Scenarios of the server leg against servers that answer oddly."""
