from .a import First

Second = First | None
