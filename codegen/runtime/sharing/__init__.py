"""Declared sharing: one object under several paths."""
