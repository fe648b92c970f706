"""The rivals' programs of `docs/side-by-side.md`, which has excerpts of them and ours in full."""
