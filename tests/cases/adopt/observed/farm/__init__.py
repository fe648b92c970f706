"""Classes that code uses in ways that generated classes do not support."""
