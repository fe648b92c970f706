"""Generated functions: declared types, one program per structure, donation per field."""

import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from tests.generated.impl import functions as impl
from tests.generated.objects import objects, plant
from tests.generated.package import Package, forget, write_text


def deleted(value: Any) -> list[str]:
    """Return the paths of consumed leaves, which are replaced by markers."""
    return [
        jax.tree_util.keystr(path).removeprefix(".")
        for path, leaf in jax.tree_util.tree_leaves_with_path(value)
        if hasattr(leaf, "is_deleted") and leaf.is_deleted()
    ]


def aliased(lowered: Any) -> int:
    """Count the arguments of a lowered program that alias a result."""
    return len(re.findall(r"tf\.aliasing_output", lowered.as_text()))


def fresh(value: Any) -> Any:
    """Return a copy with new buffers."""
    return jax.tree.map(jnp.copy, value)


# --- as functions of Python


def test_signature_is_the_declared_one(package: Package) -> None:
    step = package.functions.step
    signature = inspect.signature(step)
    assert list(signature.parameters) == [
        *("parts", "x", "linear", "buffer", "count", "bias", "flag", "scalars", "grid", "force")
    ]
    kinds = {name: p.kind for name, p in signature.parameters.items()}
    assert kinds["bias"] is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert kinds["flag"] is inspect.Parameter.KEYWORD_ONLY
    assert signature.parameters["count"].default == 1
    assert signature.parameters["grid"].default == package.values.Grid(3)
    assert signature.parameters["force"].default is None
    assert signature == inspect.signature(step)
    # For the class itself, Python finds the same as without a signature.
    assert "call" in inspect.signature(type(step)).parameters
    implementation = inspect.signature(package.functions._codegen_run_step, eval_str=True)
    # jaxtyping creates a new class each time.
    assert str(signature.return_annotation) == str(implementation.return_annotation)
    assert signature.parameters["grid"].annotation is package.values.Grid
    assert step.__name__ == step.__qualname__ == "step"
    assert step.__module__ == package.functions.__name__
    assert step.__doc__.startswith("Every kind of argument at once.")
    assert "tests.generated.impl.functions:step" in step.__doc__
    assert pickle.loads(pickle.dumps(step)) is step


def test_arguments_arrive_converted_in_their_declared_order(package: Package) -> None:
    parts, linear = objects(package)["arrays.Parts"], objects(package)["arrays.Linear"]
    moved, total = package.functions.step.keep(
        parts,
        jnp.full(3, 1.0),
        bias=2,
        linear=linear,
        buffer=jnp.ones(3),
        count=np.int64(3),
        flag=True,
    )
    assert total == 3 + 6 + 2
    assert moved.a.tolist() == [3, 4, 5]
    seen_parts, x, seen_linear, buffer, count, bias, flag, scalars, grid, force = impl.seen
    assert type(seen_parts) is type(parts)
    assert type(seen_linear) is type(linear)
    assert (x.dtype, bias.dtype, buffer.dtype) == (jnp.float32,) * 3
    assert not x.weak_type
    assert type(count) is int
    assert (count, flag, scalars, force) == (3, True, None, None)
    assert grid is package.functions.step.__signature__.parameters["grid"].default


@pytest.mark.parametrize("way", ["__call__", "keep", "lower", "eval_shape", "donation"])
def test_wrong_calls_are_errors(package: Package, way: str) -> None:
    functions = package.functions
    advance = getattr(functions.advance, way)
    made = plant(package)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'dt'"):
        advance(made)
    with pytest.raises(TypeError, match="unexpected keyword argument 'm'"):
        advance(made, 1.0, m=2)
    with pytest.raises(TypeError, match="argument `plant` of `advance` takes a `Plant`"):
        advance(made.cold, 1.0)
    with pytest.raises(TypeError, match=r"argument `dt` of `advance` .* float32"):
        advance(made, "1")
    with pytest.raises(TypeError, match=r"argument `dt` of `advance` .* float32"):
        advance(made, None)
    with pytest.raises(TypeError, match="argument `n` of `advance` takes an int"):
        advance(made, 1.0, 1.5)
    with pytest.raises(TypeError, match=r"argument `n` of `advance` .*traced"):
        jax.jit(lambda n: advance(made, 1.0, n))(1)
    with pytest.raises(TypeError, match="takes from 3 to 4 positional arguments"):
        advance(made, 1.0, 1, 2)
    with pytest.raises(TypeError, match="argument `color` of `recolored` takes"):
        getattr(functions.recolored, way)("red", 1.0)
    with pytest.raises(TypeError, match="argument `function` of `applied`"):
        getattr(functions.applied, way)(lambda x: x, 1.0)
    with pytest.raises(TypeError, match=r"argument `extra(\['a'\])?` of `tree_sum`"):
        getattr(functions.tree_sum, way)(None, {"a": 1.0})
    assert deleted(made) == []
    assert impl.traces.total() == 0


def test_numbers_out_of_range_are_value_errors(package: Package) -> None:
    with pytest.raises(ValueError, match="argument `dt` of `advance`"):
        package.functions.advance(plant(package), 1e60)


def test_functions_without_arguments(package: Package) -> None:
    assert package.functions.constant() == 1
    assert package.functions.constant.keep() == 1
    assert package.functions.constant.eval_shape().dtype == jnp.float32
    assert package.functions.constant.__doc__.startswith("constant.")


# --- traces


def test_each_structure_is_traced_once(package: Package) -> None:
    advance = package.functions.advance
    made = plant(package, "counted")
    for dt in (1.0, 2, np.float32(3), jnp.float32(4), 5.0):
        made = advance(made, dt)
    assert impl.traces["advance"] == 1
    assert made.cold.level.tolist() == [16.0] * 3
    for _ in range(3):
        made = advance(made, 1.0, n=2)
        made = advance(fresh(made), 1.0, 2)
    assert impl.traces["advance"] == 2
    advance(plant(package, "counted").replace(spare=None), 1.0)
    advance(plant(package, "counted").replace(tanks=()), 1.0)
    advance(plant(package, "counted too"), 1.0)
    assert impl.traces["advance"] == 5
    advance(plant(package, "counted"), 1.0)
    assert impl.traces["advance"] == 5


def test_another_subclass_retraces(package: Package) -> None:
    kind, inheritance = package.functions.kind_of_layer, package.inheritance
    square = inheritance.Square(side=1.0)
    for _ in range(2):
        network, size = kind(inheritance.Network(square, inheritance.Scale(2.0)))
        assert (size, type(network.layer)) == (5, inheritance.Scale)
        network, size = kind(inheritance.Network(square, inheritance.Identity()))
        assert (size, type(network.layer)) == (8, inheritance.Identity)
    assert impl.traces["kind_of_layer"] == 2


def test_order_of_dict_keys_does_not_retrace(package: Package) -> None:
    tree_sum = package.functions.tree_sum
    x = jnp.float32(1)
    assert tree_sum({"a": 1.0, "b": (x, None)}, {"a": [x], "b": [x, x]}) == 5
    assert tree_sum({"b": (x, None), "a": 2.0}, {"b": [x, x], "a": [x]}) == 6
    assert impl.traces["tree_sum"] == 1
    tree_sum({"b": (x, x), "a": 2.0}, {})
    assert impl.traces["tree_sum"] == 2


def test_placeholder_in_place_of_a_part_is_accepted(package: Package) -> None:
    """`optax.masked` leaves such an object if the mask ends above the leaves."""
    made = plant(package)
    parts, treedef = jax.tree.flatten(made, is_leaf=lambda part: part is made.cold)
    mask = treedef.unflatten([part is not made.cold for part in parts])
    moments = optax.masked(optax.trace(decay=0.9), mask).init(made).inner_state
    assert type(moments.trace) is type(made)
    assert type(moments.trace.cold) is optax.MaskedNode
    assert package.functions.tree_sum(moments, {}) == 0
    gaps = treedef.unflatten([None if part is made.cold else part for part in parts])
    assert package.functions.tree_sum(gaps, {}) == package.functions.tree_sum(made, {}) - 5


# --- donation


def test_only_fields_donated_on_their_whole_path_are_consumed(package: Package) -> None:
    made = plant(package)
    lowered = package.functions.advance.lower(made, 1.0)
    assert deleted(made) == []
    result = package.functions.advance(made, 1.0)
    consumed = [
        *("cold.level", "tanks[0].level", "tanks[1].level", "spare.level"),
        *("gauges['a']", "gauges['b']"),
    ]
    assert deleted(made) == consumed
    assert aliased(lowered) == len(consumed)
    assert deleted(result) == []
    assert made.hot.level.tolist() == [2.0] * 3
    assert made.cold.area == 2


def test_unchanged_dynamic_fields_are_the_same_arrays(package: Package) -> None:
    made = plant(package)
    result = package.functions.advance(made, 1.0)
    assert result.hot.level is made.hot.level
    assert result.hot.area is made.hot.area
    assert result.cold.area is made.cold.area
    assert result.tanks[1].area is made.tanks[1].area
    assert type(result) is type(made)
    assert result.gauges == {"a": 8, "b": 7}


def test_a_dynamic_argument_donates_nothing(package: Package) -> None:
    made = plant(package)
    assert package.functions.read(made) == 9
    assert deleted(made) == []
    assert aliased(package.functions.read.lower(made)) == 0


def test_keep_donates_nothing(package: Package) -> None:
    made = plant(package, "kept")
    kept = package.functions.advance.keep(made, 1.0)
    assert deleted(made) == []
    assert kept == package.functions.advance(made, 1.0)
    assert impl.traces["advance"] <= 2


def test_a_donated_array_is_consumed_and_other_arguments_are_not(package: Package) -> None:
    found = objects(package)
    parts, linear = fresh(found["arrays.Parts"]), fresh(found["arrays.Linear"])
    x, buffer = jnp.ones(3), jnp.ones(3)
    with pytest.warns(UserWarning, match="`step` .*`buffer`") as caught:
        moved, _ = package.functions.step(parts, x, linear, buffer)
    assert len(caught) == 1
    assert buffer.is_deleted()
    assert deleted([x, linear]) == []
    assert deleted(parts.lent) == deleted(parts.record) == deleted(parts.items) == []
    assert deleted([parts.b, parts.anything, parts.either]) == []
    assert deleted(parts.a) == [""]
    assert deleted(moved) == []
    assert moved.b is parts.b
    assert moved.lent.w is parts.lent.w
    assert moved.record[1] == 4
    lowered = package.functions.step.lower(fresh(found["arrays.Parts"]), x, linear, jnp.ones(3))
    assert "jax.buffer_donor" in lowered.as_text() or aliased(lowered) > 0


def test_donated_field_that_is_returned_unchanged(package: Package) -> None:
    point = fresh(package.arrays.Point(3.0, y=4.0))
    passed = package.functions.pass_on(point)
    assert passed.x == 3
    assert passed.y is point.y
    assert deleted(point) == ["x"]
    assert deleted(passed) == []


def test_numpy_arrays_are_not_affected(package: Package) -> None:
    x = np.ones((), np.float32)
    moved = package.functions.move(package.arrays.Point(x))
    assert moved.x == 2
    assert x == 1


def test_nothing_is_donated_inside_a_trace(package: Package) -> None:
    functions, point = package.functions, fresh(package.arrays.Point(3.0))

    def energy(point: Any) -> Any:
        return functions.move(point, 2.0).x ** 2

    assert jax.grad(energy)(point).x == 10
    assert jax.value_and_grad(energy)(point)[0] == 25
    assert jax.vmap(energy)(jax.tree.map(lambda leaf: leaf[None], point))[0] == 25
    assert jax.jit(energy)(point) == 25
    assert jax.jit(jax.grad(energy))(point).x == 10
    assert jax.linearize(energy, point)[0] == 25
    assert jax.eval_shape(energy, point).shape == ()
    looped = jax.lax.scan(lambda p, _: (functions.move(p), None), point, length=3)[0]
    assert looped.x == 6
    assert deleted(point) == []
    assert aliased(jax.jit(energy).lower(point)) == 0
    assert functions.move(point).x == 4
    assert deleted(point) == ["x"]


def test_object_created_inside_a_trace_is_not_consumed(package: Package) -> None:
    """Its arrays are concrete, but the trace may need them later."""
    point = fresh(package.arrays.Point(3.0))

    def f(x: Any) -> Any:
        return x * package.functions.move(point).x

    assert jax.grad(f)(2.0) == 4
    assert deleted(point) == []


def test_eval_shape_and_lower_run_nothing(package: Package) -> None:
    made = plant(package)
    shapes = package.functions.advance.eval_shape(made, 1.0, n=2)
    assert type(shapes) is type(made)
    assert shapes.cold.level == jax.ShapeDtypeStruct((3,), jnp.float32)
    assert shapes.name == "plant"
    again = package.functions.advance.eval_shape(shapes, 1.0, n=2)
    assert again == shapes
    compiled = package.functions.advance.lower(made, 1.0, n=2).compile()
    assert compiled.memory_analysis() is not None
    assert package.functions.advance.lower(shapes, 1.0).as_text()
    assert deleted(made) == []


def test_keep_unused_option_keeps_unused_arguments(package: Package) -> None:
    first, all_of_them = package.functions.first, package.functions.first_of_all
    x = jnp.ones(3)
    assert first.lower(x, x).as_text().count("%arg") < all_of_them.lower(x, x).as_text().count(
        "%arg"
    )
    assert first(x, x).tolist() == all_of_them(x, x).tolist() == [2.0] * 3


def test_inline_and_compiler_options_pass_through(package: Package) -> None:
    """A nested call has no compiler options: XLA would refuse a misspelt one."""
    functions, made = package.functions, package.arrays.Point
    point = fresh(made(3.0))
    for function, calls in ((functions.move_inline, 0), (functions.move, 1)):
        nested = jax.jit(lambda p, function=function: function(p))
        assert nested.lower(point).as_text().count("call @") == calls
    assert functions.move_with_options(point).x == 4
    assert deleted(point) == ["x"]
    assert functions.move_with_options.keep(made(3.0)).x == 4
    misspelt, x = functions.move_misspelt, jnp.float32(3.0)
    for call in (misspelt, misspelt.keep, lambda one: misspelt.lower(one).compile()):
        with pytest.raises(jax.errors.JaxRuntimeError, match="xla_no_such_option"):
            call(made(3.0))
    for transform in (jax.jit, jax.grad):
        assert transform(lambda x: misspelt(made(x)).x)(x) in (1, 4)
    assert misspelt.eval_shape(made(3.0)).x.shape == ()


# --- methods, and imports


def test_methods_and_properties(package: Package) -> None:
    parts = objects(package)["arrays.Parts"]
    assert parts.total() == 6
    assert parts.total(3.0, name="xy") == 10
    assert parts.total.__doc__ == "The sum of `a`, times `scale`."
    head, size = parts.head
    assert (head, size) == (0, 3)
    assert type(parts).head.__doc__.startswith("The first item")
    with pytest.raises(TypeError, match="positional"):
        parts.total(3.0, "xy")
    assert jax.jit(lambda p: p.total(2.0))(parts) == 6
    assert objects(package)["plates.Plate"].mean() == 1
    assert objects(package)["shadows.Shadow"].tuple(1, "a", 2.0) == 6
    assert package.inheritance.Square(side=1.0).size() == 1.0
    lines = objects(package)
    long = next(value for name, value in lines.items() if name.startswith("lines.AClass"))
    found = long.a_method_with_a_long_name(1, another_argument_with_a_long_name="y")
    assert found == ((1,), frozenset({"y"}), None)


def test_special_methods_class_methods_and_static_methods(package: Package) -> None:
    """`tests/constructs` compares them with plain functions, in every transformation."""
    point_class = package.arrays.Point
    point = point_class(2.0, y=1.0)
    assert (point + point)(3.0, shift=0.5) == 14.5
    assert str(point) == "(2.0, 1.0)"
    assert type(point_class.along(1.0)) is point_class
    assert point_class.along.__doc__ == "A point of the axis."
    assert point.distance(point, point_class.along(1.0)) == 2
    for wrong in (lambda: point(3.0, 0.5), point_class.along, lambda: point + 1):
        with pytest.raises((TypeError, AttributeError)):
            wrong()


def test_function_that_returns_none(package: Package) -> None:
    plant = objects(package)["functions.Plant"]
    assert plant.stop() is None
    assert plant.stopped is None
    assert package.functions.nothing(plant) is None
    assert package.functions.nothing.eval_shape(plant) is None


def twice(value: Any) -> Any:
    return jax.tree.map(lambda leaf: leaf * 2, value)


def test_generic_functions(package: Package) -> None:
    same, pair = package.inheritance.same, package.inheritance.pair
    assert repr(pair) == f"<generated function {pair.__module__}.pair>"
    assert str(inspect.signature(same)) == "(value: ~T) -> ~T"
    assert pickle.loads(pickle.dumps(same)) is same
    tree = {"a": jnp.ones(2)}
    assert jax.tree.structure(same(tree)) == jax.tree.structure(tree)
    value = jnp.ones(2)
    second, first = pair(value, twice, swap=True)
    assert (first == 1).all()
    assert (second == 2).all()
    assert value.is_deleted()
    assert pair.donation(jnp.ones(2), twice) == {"self": True}
    first, second = pair.keep(jnp.ones(2), twice)
    assert (second == 2).all()


def test_declared_names_that_shadow_builtins(package: Package) -> None:
    shadowed = package.shadows.shadowed
    found = shadowed(1.0, kept=2.0, donated=3.0, impl="x", result=package.shadows.Array(4.0))
    assert found == {"x": 11}
    with pytest.raises(TypeError, match="argument `kept` of `shadowed`"):
        shadowed(1.0, kept="2", donated=3.0, impl="x", result=package.shadows.Array(4.0))


def test_an_implementation_may_import_the_generated_package(package: Package) -> None:
    made = plant(package)
    tank = package.functions.rebuilt(made)
    assert type(tank) is package.functions.Tank
    assert tank.level.tolist() == [3.0] * 3
    assert tank.area is made.cold.area


WRONG = """
from codegen.schema import donated, dynamic, f32, impl

class Tank:
    level: donated[f32]

@impl("tests.generated.impl.no_such_module:read")
def no_module(tank: dynamic[Tank]) -> f32: ...
@impl("tests.generated.impl.functions:reed")
def misspelt(tank: donated[Tank]) -> f32: ...
@impl("tests.generated.impl.functions:Array.reed")
def no_attribute(tank: dynamic[Tank]) -> f32: ...
@impl("tests.generated.impl.functions:jax")
def no_function(tank: dynamic[Tank]) -> f32: ...
@impl("tests.generated.impl.functions:advance")
def another(tank: dynamic[Tank]) -> f32: ...
@impl("tests.generated.impl.functions:read")
def fails(plant: dynamic[Tank]) -> f32: ...
@impl("tests.generated.impl.functions:ones")
def too_many(tank: dynamic[Tank]) -> f32: ...
"""


def test_missing_implementation_is_a_clear_error(site: Path) -> None:
    package = write_text(WRONG, "wrong", site, "without_implementations")
    errors = {
        "no_module": ModuleNotFoundError,
        "misspelt": ImportError,
        "no_attribute": AttributeError,
        "no_function": TypeError,
    }
    for name, error in errors.items():
        function = getattr(package.wrong, name)
        for call in (function, function.keep, function.eval_shape):
            with pytest.raises(error) as caught:
                call(package.wrong.Tank(1.0))
            (note,) = (each for each in caught.value.__notes__ if "@impl" in each)
            assert f"`{name}` in the schema of `without_implementations.wrong`" in note
    for name in ("another", "too_many"):
        with pytest.raises(
            TypeError, match=rf"declares `without_implementations.wrong.{name}\(tank\)"
        ):
            getattr(package.wrong, name)(package.wrong.Tank(1.0))
    with pytest.raises(AttributeError, match="cold") as caught:
        package.wrong.fails(package.wrong.Tank(1.0))
    assert not any("@impl" in each for each in getattr(caught.value, "__notes__", ()))
    forget("without_implementations")


def test_number_instead_of_a_key_is_an_error(package: Package) -> None:
    noise = package.functions.noise(jax.random.key(0), jnp.ones(3))
    assert noise.shape == (3,)
    with pytest.raises(TypeError, match=r"argument `rng` of `noise` .*key"):
        package.functions.noise(0, jnp.ones(3))
