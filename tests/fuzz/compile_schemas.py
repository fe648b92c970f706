"""Fuzz the compiler with atheris, guided by coverage: bytes in, a report or verified output out.

    $ pip install atheris
    $ python -m tests.fuzz.compile_schemas tests/fuzz/corpus -max_total_time=600

What stands in the corpus is run by `test_corpus.py` on every commit; new finds go there, or into a
case of their own. See README.md for how long it was run.
"""

from __future__ import annotations

import sys
from pathlib import Path

WORDS = Path(__file__).parent / "words.dict"


def answer(data: bytes) -> bool:
    """Compile one schema file; whether it was accepted.

    Raises:
        AssertionError: where a diagnostic says nothing, or the output is not what was declared.
    """
    from codegen.diagnostics import text
    from codegen.options import Options
    from tests.reading.verify import verified

    files = [("a/heat.pyi", "a.heat", data), ("a/other.pyi", "a.other", b"class Other: ...\n")]
    options = Options("schemas", "generated")
    compiled = verified(files, options)
    assert bool(compiled.report) != bool(compiled.rendered)
    for one in compiled.report:
        assert one.message
        assert one.help
        assert one.span.start <= one.span.end <= len(one.source.text)
    assert all(c.isprintable() or c == "\n" for c in text.full(compiled.report))
    return not compiled.report


def main() -> None:
    """Run until libFuzzer's own options say so."""
    import atheris

    with atheris.instrument_imports(include=["codegen"]):
        import codegen.pipeline  # noqa: F401

    def test_one_input(data: bytes) -> None:
        answer(data)

    atheris.Setup(
        [*sys.argv, f"-dict={WORDS}", "-timeout=20", "-rss_limit_mb=2048"], test_one_input
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
