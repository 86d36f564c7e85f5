"""OAuth of the reference client: its rules one by one, and what it does at each refusal."""
