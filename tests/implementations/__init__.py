"""Real implementations under test, and what we say of them."""
