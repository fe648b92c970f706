"""Checked program to view: strings ready to print, so that templates need loops and values alone."""
