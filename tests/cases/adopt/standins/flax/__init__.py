"""As much of flax as the case needs; an installed one stands before it."""
