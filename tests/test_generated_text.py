"""What a small schema of each topic of the language becomes: `tests/cases/generated/`.

TOPIC/schema.pyi     a class or two
TOPIC/expected.py    the whole module that is made of it

So a line that every class gets, or one that a feature costs, shows as a difference to be read.
`pytest tests/test_generated_text.py --update` writes what is expected.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import pipeline
from codegen.options import Options

CASES = Path(__file__).parent / "cases" / "generated"
TOPICS = sorted(CASES.iterdir())


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_a_topic_becomes(topic: Path, pytestconfig: pytest.Config) -> None:
    data = (topic / "schema.pyi").read_bytes()
    compiled = pipeline.compile([("schema.pyi", "schema", data)], Options("", "generated"))
    assert not compiled.report, [f"{one.code}: {one.message}" for one in compiled.report]
    (written,) = (one.text for one in compiled.rendered if one.path == "schema.py")
    expected = topic / "expected.py"
    if pytestconfig.getoption("--update"):
        expected.write_text(written, encoding="utf-8")
    assert written == expected.read_text(encoding="utf-8")


def test_every_topic_is_small() -> None:
    long = {
        topic.name
        for topic in TOPICS
        if len((topic / "schema.pyi").read_text(encoding="utf-8").splitlines()) > 12
    }
    assert not long
