"""Measurements of the generator. Each module is run by itself: `python -m benchmarks.noop`."""
