"""Scenarios of the server leg: what a server under test is asked, and what its answers decide."""
