"""An identifier."""
