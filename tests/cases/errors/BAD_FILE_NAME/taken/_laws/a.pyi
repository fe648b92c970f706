"""In a folder that the laws have."""
