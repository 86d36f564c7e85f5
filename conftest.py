"""What all tests of this project share. Nothing a user needs: the plugin itself is installed by its entry point."""
