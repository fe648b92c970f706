from typing import Generic, TypeVar

from codegen.schema import dynamic

T = TypeVar("T")

class A0(Generic[T]):
    x: dynamic[T]

class A1(Generic[T]):
    a: dynamic[A0[tuple[T, T]]]

class A2(Generic[T]):
    a: dynamic[A1[tuple[T, T]]]

class A3(Generic[T]):
    a: dynamic[A2[tuple[T, T]]]

class A4(Generic[T]):
    a: dynamic[A3[tuple[T, T]]]

class A5(Generic[T]):
    a: dynamic[A4[tuple[T, T]]]

class A6(Generic[T]):
    a: dynamic[A5[tuple[T, T]]]

class A7(Generic[T]):
    a: dynamic[A6[tuple[T, T]]]

class A8(Generic[T]):
    a: dynamic[A7[tuple[T, T]]]

class A9(Generic[T]):
    a: dynamic[A8[tuple[T, T]]]
