"""Create an object of every class of the test schemas.

objects(package)["arrays.Point"]    ->    Point(x=Array(1., dtype=float32), ...)
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec

from codegen.runtime import frozendict
from tests.generated.impl.foreign import Config, Pair
from tests.generated.package import Package

MESH = jax.sharding.AbstractMesh((1,), ("x",))

# Classes without objects, by module. Enums are not classes here.
ABSTRACT = {"inheritance.Shape", "inheritance.Layer", "inheritance.Solver"}


def half(x: Any) -> Any:
    """A function that can be imported by name."""
    return x / 2


def objects(package: Package) -> dict[str, Any]:
    """Return a new object of every class, by module and class."""
    parts = (_values, _arrays, _fields, _inheritance, _plates, _trees, _shadows, _lines)
    found: dict[str, Any] = {}
    for part in (*parts, _functions, _cycle):
        found |= part(package)
    return found


def statics(package: Package) -> dict[str, Any]:
    """Return the objects without arrays."""
    return {n: o for n, o in objects(package).items() if not type(o).__codegen_record__.data_fields}


def _values(package: Package) -> dict[str, Any]:
    values = package.values
    nothing = dict.fromkeys(
        ("integer", "real", "flag", "number", "text", "data", "color", "mode", "table")
    ) | dict.fromkeys(("function", "kind", "empty", "sizes"))
    return {
        "values.Empty": values.Empty(),
        "values.Scalars": values.Scalars(1, 2.5, True, 1 + 2j, "text", b"data", None),
        "values.Choices": values.Choices(
            values.Color.MIXED,
            values.Level.HIGH,
            values.Name.QUOTED,
            values.Permission.READ | values.Permission.WRITE,
            "fast",
            True,
        ),
        "values.Constants": values.Constants(
            table=np.arange(6, dtype=np.float32).reshape(2, 3),
            any_shape=np.ones(2, np.float16),
            brain=np.ones(1, jnp.bfloat16),
            mask=np.array([True, False]),
            count=np.asarray(3, np.int32),
        ),
        "values.References": values.References(
            function=half, force=None, kind="bfloat16", anything=(1, "a", (2.0, half))
        ),
        "values.Foreign": values.Foreign(
            mesh=jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,)),
            spec=PartitionSpec("x"),
            config=Config("a", (1, 2)),
            pair=Pair(1.0, 2.0),
        ),
        "values.Containers": values.Containers(
            sizes=(1, 2),
            record=(1, "a", values.Color.RED),
            names=frozenset({"a", "b"}),
            rates=frozendict({"a": (1.0, 2.0)}),
            either="1",
            wide=None,
            nested=((values.Empty(),), None),
            tables=(np.ones(2, np.float32),),
        ),
        "values.Optionals": values.Optionals(**nothing),
        "values.Defaults": values.Defaults(),
        "values.Converted": values.Converted(text=" a "),
        "values.Doubled": values.Doubled(n=3),
        "values.Grid": values.Grid(3),
        "values.Nested": values.Nested(values.Grid(3)),
    }


def _arrays(package: Package) -> dict[str, Any]:
    arrays = package.arrays

    def linear() -> Any:
        return arrays.Linear(jnp.ones((3, 2)), jnp.zeros(2))

    names = "half brain single truth real complex_kind inexact pair"
    reals = dict.fromkeys(names.split(), 1.0) | {"truth": True}
    integers = "signed narrow byte signed_kind unsigned_kind ordered number shaped"
    return {
        "arrays.Linear": linear(),
        "arrays.Layers": arrays.Layers(
            arrays.Linear(jnp.ones((2, 3, 2)), jnp.zeros((2, 2))), (linear(), linear())
        ),
        "arrays.Kinds": arrays.Kinds(**reals, **dict.fromkeys(integers.split(), 2)),
        "arrays.Shapes": arrays.Shapes(
            fixed=jnp.ones((2, 3)),
            sums=jnp.ones((4, 4)),
            stack=jnp.ones((5, 3)),
            tail=jnp.ones((1, 3)),
            column=jnp.ones((3, 1)),
        ),
        "arrays.Weak": arrays.Weak(rng=jax.random.key(0)),
        "arrays.Parts": arrays.Parts(
            a=jnp.arange(3.0),
            b=jnp.ones(3),
            items=[1.0, jnp.ones(())],
            table={"y": jnp.ones(3), "x": jnp.zeros(3)},
            stack=(1.0, jnp.ones(())),
            record=(jnp.ones(3), 4, linear()),
            anything={"z": 1, "a": [jnp.ones(2), None]},
            layers=(linear(), linear()),
            either=linear(),
            lent=linear(),
        ),
        "arrays.Point": arrays.Point(1.0),
        "arrays.Twin": arrays.Twin(1.0),
        "arrays.Tagged": arrays.Tagged(1.0, tag=(1, "a")),
    }


def _fields(package: Package) -> dict[str, Any]:
    fields = package.fields
    linear = fields.Linear(jnp.ones(2), jnp.zeros(2))
    made = (
        linear,
        fields.Net(linear, rest=(linear,)),
        fields.Made({"a": 1.0}, [], config=Config("b")),
        fields.Bag([linear], rates={"a": 1.0}),
        fields.Same(half),
    )
    return {f"fields.{type(one).__name__}": one for one in made}


def _inheritance(package: Package) -> dict[str, Any]:
    inheritance = package.inheritance
    disc = inheritance.Disc(radius=2.0)
    return {
        "inheritance.Square": inheritance.Square(side=2.0),
        "inheritance.Disc": disc,
        "inheritance.Identity": inheritance.Identity(),
        "inheritance.Scale": inheritance.Scale(2.0),
        "inheritance.Network": inheritance.Network(
            disc,
            inheritance.Scale(2.0),
            layers=(inheritance.Identity(), inheritance.Scale(3.0)),
        ),
        "inheritance.Base": inheritance.Base(1),
        "inheritance.Derived": inheritance.Derived(1, 2.0),
        "inheritance.Mode": inheritance.Mode("any", 1.0),
        "inheritance.Narrow": inheritance.Narrow(x=1.0),
        "inheritance.Wide": inheritance.Wide(x=1.0),
        "inheritance.Sorted": inheritance.Sorted("any", 1.0, 4, 2.0),
        "inheritance.Wave": inheritance.Wave(jnp.ones(3)),
        "inheritance.Ripple": inheritance.Ripple(jnp.ones(3), phase=1.0),
        "inheritance.Fixed": inheritance.Fixed(),
        "inheritance.Box": inheritance.Box(("a", 1), 1.0),
        "inheritance.Rack": inheritance.Rack(inheritance.Box(3, 1.0)),
        "inheritance.Named": inheritance.Named(package.values.Color.RED, 1.0),
        "inheritance.WithLongImports": inheritance.WithLongImports(),
        "inheritance.Given": inheritance.Given(sizes=3),
        "inheritance.Taken": inheritance.Taken(anything=1.0),
    }


def _plates(package: Package) -> dict[str, Any]:
    plates = package.plates
    plate = plates.Plate(jnp.ones(3), nx=3)
    return {
        "plates.Plate": plate,
        "plates.Twin": plates.Twin(jnp.ones(3), nx=3),
        "plates.Counter": plates.Counter(n=3),
        "plates.Settings": plates.Settings(3),
        "plates.Tagged": plates.Tagged(1.0, tag=(1, "a")),
        "plates.Parts": plates.Parts(
            plate=plate,
            plates=(plates.Plate(jnp.ones(2), nx=2),),
            settings=plates.Settings(1),
        ),
    }


def _trees(package: Package) -> dict[str, Any]:
    trees = package.trees
    leaf = trees.Node(2.0, friends={})
    friend = trees.Friend([leaf], tags=(trees.Tag(),))
    return {
        "trees.Node": trees.Node(1.0, next=leaf, children=(leaf, leaf), friends={"a": friend}),
        "trees.Friend": friend,
        "trees.Tag": trees.Tag(inner=trees.Tag(), many=(trees.Tag(many=(trees.Tag(),)),)),
    }


def _shadows(package: Package) -> dict[str, Any]:
    shadows = package.shadows
    texts = {"list": "l", "property": "p", "object": (1,), "split": (1.0,)}
    integers = ("int", "self", "cls", "key", "set_field", "donated", "impl", "KEEP", "x_tag")
    arrays = {"type": 2.0, "children": 2.0}
    anything = {"obj": 5, "Any": (1, 2), "x": "x"} | arrays
    return {
        "shadows.Shadow": shadows.Shadow(**texts, **anything, **dict.fromkeys(integers, 2)),
        "shadows.Array": shadows.Array(1.0),
        "shadows._Hidden": shadows._Hidden(1.0),
    }


def _lines(package: Package) -> dict[str, Any]:
    lines = package.lines
    long = "AClassWhoseNameIsVeryLongAndGoesOnAndOnUntilNothingFitsBesideIt"
    first = getattr(lines, long)(
        None,
        1,
        "ccccccccccc",
        an_array=jnp.ones((2, 3)),
    )
    holder = lines.AnotherClassWithALongNameThatHoldsTheFirst(first, {"a": (first,)})
    made = (first, holder, lines.WithLongKeys())
    return {f"lines.{type(one).__name__}": one for one in made}


def plant(package: Package, name: str = "plant") -> Any:
    """Return an object whose fields are donated on some paths and not on others."""
    functions = package.functions

    def tank(level: float) -> Any:
        return functions.Tank(jnp.full(3, level, jnp.float32), jnp.float32(2))

    return functions.Plant(
        cold=tank(1.0),
        hot=tank(2.0),
        tanks=(tank(3.0), tank(4.0)),
        spare=tank(5.0),
        gauges={"b": jnp.float32(6), "a": jnp.float32(7)},
        name=name,
    )


def _functions(package: Package) -> dict[str, Any]:
    made = plant(package)
    return {"functions.Tank": made.cold, "functions.Plant": made}


def _cycle(package: Package) -> dict[str, Any]:
    left, right = package.load("cycle.left"), package.load("cycle.right")
    bottom = package.load("cycle.deep.bottom")

    def fields() -> dict[str, Any]:
        return {
            "right": None,
            "rights": (),
            "dense": package.arrays.Linear(jnp.ones((3, 3)), jnp.ones(3)),
            "v": jnp.ones(3),
            "params": bottom.Params(1),
            "other": right.Params(2),
            "shape": package.inheritance.Square(side=1.0),
        }

    inner = right.Right(**fields(), c=1.0)
    outer = left.Left(**fields() | {"right": inner, "rights": (inner,)})
    return {
        "cycle.left.Left": outer,
        "cycle.right.Right": inner,
        "cycle.right.Params": right.Params(1),
        "cycle.right.Alone": right.Alone(left=outer, lefts=(inner, outer)),
        "cycle.deep.bottom.Params": bottom.Params(1),
    }
