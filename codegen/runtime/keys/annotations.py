"""The annotations of users' classes and functions, which may use names that are missing.

class Mine(Model):
    level: Level        # imported only under `if TYPE_CHECKING:`

own_annotations(Mine)   # Python 3.14: {"level": ForwardRef("Level")}; before, it is an error

Python 3.14 evaluates annotations when they are read, and no longer in the class body.
"""

import functools
import inspect
import sys

if sys.version_info >= (3, 14):
    from annotationlib import Format

    # A missing name is read as a `ForwardRef`, instead of a `NameError`.
    own_annotations = functools.partial(
        inspect.get_annotations, format=Format.FORWARDREF
    )
    signature_of = functools.partial(
        inspect.signature, annotation_format=Format.FORWARDREF
    )
else:
    own_annotations = inspect.get_annotations
    signature_of = inspect.signature
