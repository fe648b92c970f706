"""Benchmarks of the compiler and its output. Run each module separately: `python -m benchmarks.noop`."""
