"""Unpack randomly changed documents. `unpack_documents.py` can run any number of them."""

from tests.fuzz.unpack_documents import run


def test_changed_document_is_rejected_or_unpacked_as_written() -> None:
    assert run(400) < 400
