"""One small class for each known bug of released packages, and one for each known false alarm."""
