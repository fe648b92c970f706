"""The run time of generated code, and what users import beside it.

    from codegen import runtime as _rt          # in a generated module
    from codegen.runtime import max_traces, diff

`api.py` lists the names. Each is imported when it is first used, so that an import of a
generated module imports only what the module needs. The compiler imports parts of this
package without JAX.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

PROTOCOL: Final = 2
"""The number of the interface between generated modules and this package."""

if TYPE_CHECKING:
    from .api import *  # noqa: F403
else:
    # The names of `api.py`, by the modules that define them.
    _NAMES = {
        "call": "Function hide_frames",
        "call.compiled": "Lowered",
        "call.errors": "ConsumedError DonationWarning",
        "classes": "Abstract abstract_class",
        "classes.bases": "InitPytree ShapedPytree ShardedPytree TaggedPytree",
        "classes.registration": (
            "as_declared as_declared_static Pytree register_dataclass Static unflatten "
            "unfrozen unhashable"
        ),
        "classes.values": "as_argument as_array CONVERTED diff is_weak same_tree",
        "converters": (
            "as_bytes as_callable as_dtype as_enum as_instance as_literal "
            "as_none as_part as_scalar returns_none"
        ),
        "declared": (
            "array dict_of donated dtype dynamic foreign frozendict_of frozenset_of "
            "function identity later list_of literal mapping_of optional parameter "
            "Parent part ref sequence_of tuple_of union"
        ),
        "dims": "make_abstract",
        "drafts": (
            "DraftArray DraftField DraftKey DraftOptionalArray DraftPart DraftParts "
            "DraftRef DraftStatic frozen ItemsOf PytreeDraft"
        ),
        "drafts.state": "DraftError",
        "drafts.values": "DraftAt Items",
        "frozen_dicts": "frozendict",
        "identities": "preserve_identities",
        "running_script": "protocol_v2",
        "jitted": "jit",
        "keys.conversion": (
            "as_bool as_complex as_float as_int as_str check_init Converted "
            "KEEP Keep MISSING"
        ),
        "keys.interning": "intern trace_key TraceKey upgrade",
        "memory": "table",
        "mesh.fingerprints": "assert_same_everywhere",
        "mixins": "check_members check_mixins explain_import",
        "options": "settings",
        "own_init": "install_init",
        "refs": "as_ref as_ref_argument",
        "sharing": ("hollow rebind relink require_shared"),
        "splitting": "split",
        "stacks": "stack unstack",
        "statics.composites": "as_constant constant_tag",
        "statics.tagging": "as_static",
        "traces": "max_traces RetraceError RetraceWarning traces_as_json",
    }
    _HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

    def __getattr__(name: str) -> Any:
        number = name.removeprefix("protocol_v")
        if number != name and number.isdecimal() and int(number) != PROTOCOL:
            raise ImportError(_mismatch(int(number)))
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = importlib.import_module(f"{__name__}.{_HOMES[name]}")
        found = globals()[name] = getattr(home, name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})


def _mismatch(number: int) -> str:
    what = (
        f"the generated code has protocol v{number}, but `{__name__}` has protocol "
        f"v{PROTOCOL}"
    )
    if number > PROTOCOL:
        return f"{what}. The package is older: upgrade `pytree-codegen`"
    return f"{what}. The code is older: run `codegen build` again"
