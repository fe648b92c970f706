"""Meshes and processes: shardings by named dimension, what every process must agree on."""

from .fingerprints import assert_same_everywhere, fingerprint
from .shardings import ShardedPytree

__all__ = ["ShardedPytree", "assert_same_everywhere", "fingerprint"]
