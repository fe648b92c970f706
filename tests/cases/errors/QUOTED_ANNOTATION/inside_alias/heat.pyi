from typing import TypeVar

Field = tuple["Node", ...]
T = TypeVar("T", bound="Node")

class Node: ...
