"""Classes of many libraries, through aliases, re-exports and stars; nothing here is imported."""
