"""Meshes and processes: specs and shardings by named dimension, and what every process must agree on."""
