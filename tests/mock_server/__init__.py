"""The mock server: that it keeps to the specification, and that it bends what it is told to bend."""
