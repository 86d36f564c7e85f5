"""Scenarios against servers that answer oddly."""
