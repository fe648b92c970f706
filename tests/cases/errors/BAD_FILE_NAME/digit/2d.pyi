"""No identifier."""
