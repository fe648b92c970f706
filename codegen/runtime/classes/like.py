# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Fill the structure of an object with other values, such as in_axes and masks are.

    plate.like(None, u=0)       # Plate(u=0, alpha=None, grid=Grid(nx=64, ny=64), ...)

Nothing is converted or checked, as it is when JAX unflattens.
"""

import difflib
from typing import Any

import jax


def like(obj: Any, leaf: Any, fields: dict[str, Any]) -> Any:
    """Return an object with `leaf` in place of all leaves but those of some fields.

    Raises:
        TypeError: there is no such field, or what stands in it is not to be chosen
    """
    record = type(obj).__codegen_record__
    children, key = record.flatten(obj)
    held = dict(zip(record.data_fields, children, strict=True))
    for name in fields:
        if name not in held:
            raise _no_field(obj, name)
        below = jax.tree_util.tree_leaves(held[name], is_leaf=_is_hole)
        if below and all(map(_is_hole, below)):
            raise _borrowed(obj, name)
    rest = {name: child for name, child in held.items() if name not in fields}
    leaves, treedef = jax.tree_util.tree_flatten(rest)
    made = jax.tree_util.tree_unflatten(treedef, [leaf] * len(leaves))
    held |= {**made, **fields}
    return record.unflatten(key, tuple(held.values()))


def _is_hole(value: object) -> bool:
    return hasattr(type(value), "__codegen_hole__")


def _no_field(obj: Any, name: str) -> TypeError:
    record = type(obj).__codegen_record__
    where = f"`{type(obj).__qualname__}.like`"
    if name in record.meta_fields:
        return TypeError(
            f"{where} keeps what is static, and `{name}` is static: write "
            f"`replace({name}=...)` before it"
        )
    near = difflib.get_close_matches(name, record.data_fields, n=1)
    known = ", ".join(f"`{field}`" for field in record.data_fields)
    advice = f"did you mean `{near[0]}`?" if near else f"it has {known}"
    return TypeError(f"{where} knows no field `{name}`: {advice}")


def _borrowed(obj: Any, name: str) -> TypeError:
    rows = type(obj).__codegen_record__.shares
    found = (row[0] for row in rows if any(path[0] == name for path in row[1:]))
    owner = ".".join(next(found, ("another field",)))
    return TypeError(
        f"`{name}` of `{type(obj).__qualname__}` is one object with that of `{owner}`, "
        f"which owns it: give the value there, as that of `{owner}`"
    )
