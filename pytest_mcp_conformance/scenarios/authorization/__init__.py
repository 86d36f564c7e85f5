"""What authorization servers are tested for."""
