"""Which numbers a type holds, as the constructors of generated classes answer.

out_of_range(300, "int8")            ->    "-128 to 127"
out_of_range(1e39, "float32")        ->    "a finite number of float32, below 3.4028236e+38"
out_of_range(2**53 + 1, "float64")   ->    ""; an array takes the nearest number
is_exact(2**53 + 1)                  ->    False; a Python float, which is a key, does not
"""

from __future__ import annotations

from typing import Final

# The least number that each dtype rounds to something that is not finite.
_TOO_LARGE: Final = {
    "bfloat16": float.fromhex("0x1.feffffp+127"),
    "float16": 65520.0,
    "float32": float.fromhex("0x1.ffffffp+127"),
    "float8_e4m3b11fnuz": 31.0,
    "float8_e4m3fn": float.fromhex("0x1.d000000000001p+8"),
    "float8_e4m3fnuz": 248.0,
    "float8_e5m2": 61440.0,
    "float8_e5m2fnuz": 61440.0,
}


def is_exact(value: int) -> bool:
    """Whether a float is this very number, as static values ask."""
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def out_of_range(value: complex, dtype: str) -> str:
    """What an array's dtype or kind holds, in words, where a number is none of it."""
    kind = dtype.lower()
    if kind == "bool" or value.__class__ is bool:
        return ""
    is_whole = kind in ("real", "num", "shaped") and value.__class__ is int
    if kind.startswith(("int", "uint")) or is_whole:
        low, high = _integers("int" if is_whole else kind)
        assert isinstance(value, int)
        return "" if low <= value <= high else f"{low} to {high}"
    parts = (value.real, value.imag)
    limit = _TOO_LARGE.get("float32" if kind == "complex64" else kind)
    if limit is None:
        return "" if all(_is_finite(part) for part in parts) else "a number below 1.8e308"
    if all(abs(part) < limit for part in parts):
        return ""
    return f"a finite number of {kind}, below {limit:.8g}"


def _is_finite(value: float) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _integers(kind: str) -> tuple[int, int]:
    """The integers that a dtype holds; those of 64 bits for a kind."""
    bits = int(kind.lstrip("uint") or "64")
    return (0, 2**bits - 1) if kind.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
