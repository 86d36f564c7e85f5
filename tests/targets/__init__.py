"""What is under test, started and ended."""
