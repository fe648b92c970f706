"""Names."""

NAME = "heat"
