"""Servers that break the conversation in every way we could think of, and what a run says about them."""
