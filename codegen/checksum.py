r"""The one checksum of the project: BLAKE2b with 128 bits, as 32 hexadecimal digits.

    >>> checksum(b"x = 1\n")
    '1de70bc15d424d4453e6c531451e490b'

It stands in the header of a generated file, in the manifest and in the record of the last
build. It guards against accidents, not against an author of collisions.
"""

from hashlib import blake2b


def checksum(data: bytes) -> str:
    """The checksum of `data`."""
    return blake2b(data, digest_size=16).hexdigest()
