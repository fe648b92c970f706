"""As much of penzai as the examples need."""
