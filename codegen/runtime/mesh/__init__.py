"""Meshes and processes: shardings by named dimension, what every process must agree on."""

from .bases import ShardedPytree
from .fingerprints import fingerprint
from .processes import assert_same_everywhere

__all__ = ["ShardedPytree", "assert_same_everywhere", "fingerprint"]
