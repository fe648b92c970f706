@_rt.abstract_class
@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Law(_rt.ShapedPytree, _rt.Abstract):  # type: ignore[misc, unused-ignore]
    """Law.

    Examples:
        class Other(Law): ...  # a field of type `Law` holds any subclass
        jax.jit(f)(obj)  # a pytree: its arrays are leaves
    """

    __slots__ = ()

    def __new__(cls) -> Self:
        key = _rt.trace_key(cls, (), ())
        obj: Self = cls.__codegen_record__.unflatten(key, ())
        _rt.check_init(obj)
        return obj

    def pressure(self) -> Float32[Array, ""]:
        from model import pressure as impl

        return impl(self)

    if TYPE_CHECKING:

        def _codegen_is_schema_Law(self) -> Self:
            """Make `Law` a separate protocol, which type checkers do not construct."""
            return self


_rt.register_dataclass(
    Law,
    schema="schema.Law",
    abstract=True,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Ideal(Law):
    """Ideal.

    Examples:
        jax.jit(f)(obj)  # a pytree: its arrays are leaves
    """


@_rt.abstract_class
@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Gas(Law, _rt.Abstract):  # type: ignore[misc, unused-ignore]

    def __new__(cls, *, molar_mass: ArrayLike = 0.029) -> Self:
        molar_mass = _rt.as_array(molar_mass, "float32", cls, "molar_mass")
        key = _rt.trace_key(cls, (), ())
        obj: Self = cls.__codegen_record__.unflatten(key, (molar_mass,))
        _rt.check_init(obj)
        return obj

    if TYPE_CHECKING:

        def _codegen_is_schema_Gas(self) -> Self:
            """Make `Gas` a separate protocol, which type checkers do not construct."""
            # Type checkers treat a protocol field without a value as missing in subclasses.
            self.molar_mass = self.molar_mass  # type: ignore[misc]
            return self
