"""Composite static values: containers, unions and foreign types, brought to a declared type."""
