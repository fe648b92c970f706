"""What the fuzzer has found worth keeping is answered, without the fuzzer."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.compile_schemas import WORDS, answer
from tests.inputs import over

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


@over(CORPUS)
def test_the_corpus_is_answered(path: Path) -> None:
    answer(path.read_bytes())


def test_the_corpus_reaches_the_end() -> None:
    """Without legal schemas the fuzzer would never see more than the reader."""
    assert sum(answer(path.read_bytes()) for path in CORPUS) > 10


def test_the_words_are_those_of_the_language() -> None:
    from codegen.schema.vocabulary import VOCABULARY

    words = WORDS.read_text(encoding="utf-8")
    assert all(f'"{word}"' in words for word in VOCABULARY)
