"""The scenarios of the client leg, tried with clients that do one thing."""
