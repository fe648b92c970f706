"""Documents that were changed at random: `unpack_documents.py` takes as many as one likes."""

from tests.fuzz.unpack_documents import run


def test_changed_documents_are_refused_or_what_they_say() -> None:
    assert run(400) < 400
