"""An underscore first."""
