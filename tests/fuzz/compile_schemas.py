"""Fuzz the compiler with atheris, guided by coverage. Input is bytes; output is a report or a verified module.

    $ pip install atheris
    $ python -m tests.fuzz.compile_schemas tests/fuzz/corpus -max_total_time=600

`test_corpus.py` runs the corpus on every commit. Add new findings to the corpus, or as a test case. README.md has the
duration of past runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

WORDS = Path(__file__).parent / "words.dict"


def answer(data: bytes) -> bool:
    """Compile one schema file; return whether it was accepted.

    Raises:
        AssertionError: a diagnostic has no text, or the output differs from the declarations.
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
    """Run until the options of libFuzzer end it."""
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
