"""As much of flax as the case needs."""
