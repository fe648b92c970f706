"""A decorator or base in the package itself that registers classes.

`finding/find.py` finds them: functions and classes whose own code calls a JAX function that
registers pytrees.
"""

from codegen.adopted.mechanisms.mechanism import Mechanism, by_hand

MECHANISM = Mechanism(
    name="own decorator or base",
    refuse=by_hand("own registration"),
)
