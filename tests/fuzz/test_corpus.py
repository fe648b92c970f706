"""Compile the corpus of the fuzzer, without the fuzzer."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.compile_schemas import WORDS, answer
from tests.inputs import over

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


@over(CORPUS)
def test_corpus_file_gives_a_report_or_verified_output(path: Path) -> None:
    answer(path.read_bytes())


def test_corpus_contains_legal_schemas() -> None:
    """Without legal schemas, the fuzzer would only test the parser."""
    assert sum(answer(path.read_bytes()) for path in CORPUS) > 10


def test_fuzzer_dictionary_contains_all_words_of_the_language() -> None:
    from codegen.schema.vocabulary import VOCABULARY

    words = WORDS.read_text(encoding="utf-8")
    assert all(f'"{word}"' in words for word in VOCABULARY)
