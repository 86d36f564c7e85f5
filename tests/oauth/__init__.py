"""The rules of OAuth, by tables."""
