"""Trace keys: static values, exactly."""
