"""Authorization scenarios, with odd clients."""
