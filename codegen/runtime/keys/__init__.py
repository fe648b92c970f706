"""Trace keys: exact static values of plain types, and their descriptions in error
messages.
"""
