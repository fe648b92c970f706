"""What `convert=` calls in constructors."""


def as_sizes(sizes: int | tuple[int, ...]) -> tuple[int, ...]:
    """One size, or several."""
    return (sizes,) if isinstance(sizes, int) else sizes


class Text:
    """A function inside a class is found too."""

    @staticmethod
    def stripped(text: str) -> str:
        return text.strip()
