"""A decorator or base of the package itself that registers what it is given.

`finding/find.py` says which these are: functions and classes whose own code calls a function of JAX that
registers pytrees.
"""

from codegen.adopted.mechanisms.mechanism import Mechanism, by_hand

MECHANISM = Mechanism(
    name="own decorator or base",
    refuse=by_hand("own registration"),
)
