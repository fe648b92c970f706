"""Verbs that take a project over: of `codegen` like those in `codegen/cli/`, by which they are loaded."""
