"""Authorization, tried with clients that do one thing."""
