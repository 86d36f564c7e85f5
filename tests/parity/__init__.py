"""The differences from the published suite, as data, and tests of that data."""
