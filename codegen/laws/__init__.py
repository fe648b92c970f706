"""Laws and strategies: tests of what is generated, as views for their templates."""
