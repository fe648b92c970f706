Deep = tuple[tuple[tuple[int, ...], ...], ...]
