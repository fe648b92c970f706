"""Functions: what a call takes apart, which program it runs, and what becomes of donated fields."""
