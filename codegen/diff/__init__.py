"""Two versions of the schemas: what of the new one breaks what was made for the old one.

compare(old, new)    ->    Report(FIELD_REMOVED ..., FIELD_MOVED ...)

Programs are compared, not texts. Each finding says what it breaks: see `comparison.py`.
"""
