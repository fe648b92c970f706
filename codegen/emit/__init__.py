"""Emit a checked program as Python: the facts of each module (its view), printed by
`templates/`.
"""
