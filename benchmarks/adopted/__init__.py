"""Tests for the packages of `benchmarks.adopt_projects` whose releases have none."""
