"""Seal a file with a key: AES-256-GCM over pieces, so that a backup of any size is written and read as a stream.

A sealed file is a magic, 16 random bytes of salt, and pieces of 64 KiB, each with its 16 bytes of tag. The key of the
file is derived from the given one and the salt by HKDF; a piece's nonce is its number and whether it is the last, so
pieces that are cut off, altered or moved are found. Sealing the whole at once was rejected: it would have to fit in
memory, and nothing could be read before all is.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.extras import require

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"claimgraph-sealed-1\n"
PIECE = 64 * 1024
_SALT, _TAG, _LEAST = 16, 16, 32


def read_key(path: Path) -> bytes:
    """Return the key in a file. Raises InputError for one that cannot be read, or is shorter than 32 bytes."""
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    if len(key) < _LEAST:
        raise InputError(f"{path}: a key has {_LEAST} bytes or more; make one with: openssl rand -hex 32 > {path}")
    return key


@contextmanager
def sealed(file: IO[bytes], key: bytes | None) -> Iterator[IO[bytes]]:
    """Yield a file that writes into `file`, sealed where there is a key."""
    if key is None:
        yield file
        return
    import os

    salt = os.urandom(_SALT)
    file.write(MAGIC + salt)
    writer = _Writer(file, _cipher(key, salt))
    yield writer  # type: ignore[misc]
    writer.finish()


def unsealed(file: IO[bytes], key: bytes | None, where: str) -> IO[bytes]:
    """Return a file that reads what `file`, which is open at its beginning, holds.

    Raises InputError for a sealed file without a key, one of another key, and an unsealed one with a key.
    """
    is_sealed = file.read(len(MAGIC)) == MAGIC
    if is_sealed and key is None:
        raise InputError(f"{where} is sealed: give the file with its key (--key)")
    if not is_sealed:
        if key is not None:
            raise InputError(f"{where} is not sealed: leave out --key")
        file.seek(0)
        return file
    return io.BufferedReader(_Reader(file, _cipher(key or b"", file.read(_SALT)), where), PIECE)


def _cipher(key: bytes, salt: bytes) -> AESGCM:
    require("sealing")
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), 32, salt, MAGIC).derive(key))


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


class _Writer:
    """What gzip writes into: whole pieces are sealed as they come, the last one by `finish`."""

    def __init__(self, file: IO[bytes], cipher: AESGCM) -> None:
        self._file, self._cipher, self._rest, self._number = file, cipher, bytearray(), 0

    def write(self, data: bytes) -> int:
        """Take bytes. A full piece waits for the next byte, since it may be the last."""
        self._rest += data
        while len(self._rest) > PIECE:
            self._seal(bytes(self._rest[:PIECE]), last=False)
            del self._rest[:PIECE]
        return len(data)

    def flush(self) -> None:
        """Keep what is no whole piece."""

    def finish(self) -> None:
        """Seal what is left as the last piece."""
        self._seal(bytes(self._rest), last=True)

    def _seal(self, piece: bytes, *, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last), piece, None))
        self._number += 1


class _Reader(io.RawIOBase):
    """The pieces of a sealed file, one after another."""

    def __init__(self, file: IO[bytes], cipher: AESGCM, where: str) -> None:
        self._file, self._cipher, self._where, self._number, self._over = file, cipher, where, 0, False
        self._next, self._piece = file.read(PIECE + _TAG), b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer from this piece or the next. Raises InputError where a piece is not as it was written."""
        if not self._piece and not self._over:
            self._piece = self._opened()
        given = self._piece[: len(buffer)]
        buffer[: len(given)] = given
        self._piece = self._piece[len(given) :]
        return len(given)

    def _opened(self) -> bytes:
        from cryptography.exceptions import InvalidTag

        piece, self._next = self._next, self._file.read(PIECE + _TAG)
        self._over = not self._next
        try:
            opened = self._cipher.decrypt(_nonce(self._number, self._over), piece, None)
        except InvalidTag:
            reason = "is sealed with another key, or damaged" if self._number == 0 else "is damaged: cut off or altered"
            raise InputError(f"{self._where} {reason}; nothing of it was used") from None
        self._number += 1
        return opened
