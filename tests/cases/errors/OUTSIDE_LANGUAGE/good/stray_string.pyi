"""The module."""

from codegen.schema import Dim

nx = Dim()
"""Cells along x."""
