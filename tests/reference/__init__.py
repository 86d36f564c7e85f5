"""The reference server: the protocol rules that it keeps by itself, apart from any scenario."""
