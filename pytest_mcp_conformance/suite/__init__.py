"""The test modules that pytest collects when there is something to test: one item a scenario at a revision."""
