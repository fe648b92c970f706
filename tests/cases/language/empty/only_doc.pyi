"""A module with its documentation alone."""
