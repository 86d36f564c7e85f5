"""The plugin as it is used: each test runs pytest in a process of its own."""
