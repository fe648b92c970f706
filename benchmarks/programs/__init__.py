"""The other libraries' programs of `docs/side-by-side.md`. The page has excerpts of them, and our programs in full."""
