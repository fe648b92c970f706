"""Classes of libraries that are adopted and run."""
