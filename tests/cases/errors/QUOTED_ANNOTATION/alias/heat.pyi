from typing import TypeAlias, TypeVar

Field: TypeAlias = "tuple[int, ...]"
