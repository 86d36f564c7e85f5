"""How the harness talks to servers."""
