"""The build makes it itself."""
