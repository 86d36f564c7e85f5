"""What the fixtures for a project's own tests give. Loaded when a test first asks for one of them."""
