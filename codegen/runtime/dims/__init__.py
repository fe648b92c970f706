"""Named dimensions: where they stand in every array, and objects made of them."""
