"""Everything that generated modules and users take from the run time, by its home.

Generated modules write `_rt.as_int`; users write `from codegen.runtime import diff`. Users
import drafts across transformations from `lift`, saving and configurations from
`checkpoint`, and exporting from `export`.
"""

from .call import Function, Lowered, hide_frames
from .call.errors import ConsumedError, DonationWarning
from .classes import (
    CONVERTED,
    Abstract,
    Pytree,
    Static,
    abstract_class,
    as_argument,
    as_array,
    diff,
    is_weak,
    register_dataclass,
    same_tree,
    unflatten,
    unhashable,
    upgrade,
)
from .compiler_options import JitWithOptions
from .converters import (
    as_bytes,
    as_callable,
    as_dtype,
    as_enum,
    as_instance,
    as_literal,
    as_none,
)
from .declared import (
    Parent,
    array,
    dict_of,
    donated,
    dtype,
    dynamic,
    foreign,
    frozendict_of,
    frozenset_of,
    function,
    identity,
    later,
    list_of,
    literal,
    mapping_of,
    optional,
    parameter,
    part,
    ref,
    sequence_of,
    tuple_of,
    union,
)
from .dims import ShapedPytree, make_abstract
from .donation import DonatingFunction
from .drafts import (
    DraftArray,
    DraftAt,
    DraftError,
    DraftField,
    DraftKey,
    DraftOptionalArray,
    DraftPart,
    DraftParts,
    DraftRef,
    DraftStatic,
    Items,
    ItemsOf,
    PytreeDraft,
    frozen,
)
from .frozen_dicts import frozendict
from .identities import preserve_identities
from .implementations import protocol_v2
from .init import InitPytree
from .jitted import jit
from .keys import (
    KEEP,
    MISSING,
    Converted,
    Keep,
    TraceKey,
    as_bool,
    as_complex,
    as_float,
    as_int,
    as_str,
    check_init,
    float_tag,
    trace_key,
)
from .memory import table
from .mesh import ShardedPytree
from .mesh.fingerprints import assert_same_everywhere
from .mixins import check_members, check_mixins, explain_import
from .objects import as_foreign, as_part, as_result, as_scalar, returns_none
from .options import settings
from .own_init import install_init
from .refs import as_ref, as_ref_argument
from .sharing import hollow, rebind, relink, require_shared
from .splitting import split
from .stacks import stack, unstack
from .statics import as_static
from .statics.composites import as_constant, constant_tag
from .tags import TaggedPytree
from .traces import RetraceError, RetraceWarning, max_traces, traces_as_json

__all__ = [
    "CONVERTED",
    "KEEP",
    "MISSING",
    "Abstract",
    "ConsumedError",
    "Converted",
    "DonatingFunction",
    "DonationWarning",
    "DraftArray",
    "DraftAt",
    "DraftError",
    "DraftField",
    "DraftKey",
    "DraftOptionalArray",
    "DraftPart",
    "DraftParts",
    "DraftRef",
    "DraftStatic",
    "Function",
    "InitPytree",
    "Items",
    "ItemsOf",
    "JitWithOptions",
    "Keep",
    "Lowered",
    "Parent",
    "Pytree",
    "PytreeDraft",
    "RetraceError",
    "RetraceWarning",
    "ShapedPytree",
    "ShardedPytree",
    "Static",
    "TaggedPytree",
    "TraceKey",
    "abstract_class",
    "array",
    "as_argument",
    "as_array",
    "as_bool",
    "as_bytes",
    "as_callable",
    "as_complex",
    "as_constant",
    "as_dtype",
    "as_enum",
    "as_float",
    "as_foreign",
    "as_instance",
    "as_int",
    "as_literal",
    "as_none",
    "as_part",
    "as_ref",
    "as_ref_argument",
    "as_result",
    "as_scalar",
    "as_static",
    "as_str",
    "assert_same_everywhere",
    "check_init",
    "check_members",
    "check_mixins",
    "constant_tag",
    "dict_of",
    "diff",
    "donated",
    "dtype",
    "dynamic",
    "explain_import",
    "float_tag",
    "foreign",
    "frozen",
    "frozendict",
    "frozendict_of",
    "frozenset_of",
    "function",
    "hide_frames",
    "hollow",
    "identity",
    "install_init",
    "is_weak",
    "jit",
    "later",
    "list_of",
    "literal",
    "make_abstract",
    "mapping_of",
    "max_traces",
    "optional",
    "parameter",
    "part",
    "preserve_identities",
    "protocol_v2",
    "rebind",
    "ref",
    "register_dataclass",
    "relink",
    "require_shared",
    "returns_none",
    "same_tree",
    "sequence_of",
    "settings",
    "split",
    "stack",
    "table",
    "trace_key",
    "traces_as_json",
    "tuple_of",
    "unflatten",
    "unhashable",
    "union",
    "unstack",
    "upgrade",
]
