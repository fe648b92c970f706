"""Compare two versions of the schemas and report what the new version breaks.

compare(old, new)    ->    Report(FIELD_REMOVED ..., FIELD_MOVED ...)

It compares programs, not text. Each finding states what it breaks: see `comparison.py`.
"""
