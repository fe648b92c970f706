"""Declared shapes, and objects held against them."""
