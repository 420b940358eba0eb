"""Seal of a checkpoint: BLAKE2b sums of its files, signed by this machine.

RLlib pickles its state, and reading a pickle can run any code.  So a checkpoint is read only if this machine wrote it::

    seal(folder)          # once all of it is written
    check_seal(folder)    # before any of it is read
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from agents.errors import UserError
from agents.files import FileError, read_file, replace_file
from agents.signing import is_signed, sign

SUMS_FILE, SIGNATURE_FILE = "sums.json", "sums.sig"
_PURPOSE, _ORIGIN = "checkpoint", "folder"
_DIGEST, _OLD_DIGEST = "blake2b", "sha256"
_OLD_LENGTH = 64
"""Of a sum in hexadecimal.  Earlier versions took SHA-256, which many processors compute at a third of the speed."""

_MAX_BYTES = 2**22
THREADS = 4
"""That compute sums at once: weights and optimizers of a large network are gigabytes in a few files."""


class DamagedError(UserError):
    """Files of a checkpoint are missing or differ from what was written."""


class UnsignedError(UserError):
    """A checkpoint that this machine did not sign."""


def sign_origin(folder: Path) -> None:
    """Note that this folder, whose files change for hours, was made here."""
    replace_file(folder / SIGNATURE_FILE, sign(_ORIGIN, _origin(folder)))


def is_made_here(folder: Path) -> bool:
    """Whether `sign_origin` noted this very folder: a copy, or one unpacked in its place, is another."""
    return is_signed(_ORIGIN, _origin(folder), _read(folder / SIGNATURE_FILE).decode("utf-8", "replace").strip())


def _origin(folder: Path) -> bytes:
    return f"{folder.name} {folder.stat().st_ino}".encode()


def seal(folder: Path) -> None:
    """Write sums and signature of everything in `folder`."""
    (folder / SIGNATURE_FILE).unlink(missing_ok=True)
    sums = json.dumps(_sums(folder, _DIGEST), indent=1, sort_keys=True).encode()
    (folder / SUMS_FILE).write_bytes(sums)
    (folder / SIGNATURE_FILE).write_text(sign(_PURPOSE, sums), "utf-8")


def is_sealed(folder: Path) -> bool:
    """Whether this machine signed the sums of `folder`, whose files are not compared."""
    sums, signature = _read(folder / SUMS_FILE), _read(folder / SIGNATURE_FILE).decode("utf-8", "replace").strip()
    return bool(sums) and is_signed(_PURPOSE, sums, signature)


def check_seal(folder: Path) -> None:
    """Raise UnsignedError without a signature of this machine, DamagedError where a file is not as it was written."""
    if not is_sealed(folder):
        raise UnsignedError(f"expected a checkpoint that this machine signed, got: {folder}, which is older or foreign")
    written = json.loads(_read(folder / SUMS_FILE))
    found = _sums(folder, _OLD_DIGEST if _OLD_LENGTH in map(len, written.values()) else _DIGEST)
    if wrong := sorted(name for name in written.keys() | found.keys() if written.get(name) != found.get(name)):
        raise DamagedError(f"expected {folder} as it was written, got other contents of: {', '.join(wrong[:3])}")


def _sums(folder: Path, digest: str) -> Mapping[str, str]:
    """The sum of each file below `folder`, but for the seal's own."""
    own = (folder / SUMS_FILE, folder / SIGNATURE_FILE)
    files = [path for path in folder.rglob("*") if (path.is_symlink() or not path.is_dir()) and path not in own]
    with ThreadPoolExecutor(THREADS) as pool:
        sums = pool.map(lambda file: _sum(file, digest), files)
        return {path.relative_to(folder).as_posix(): one for path, one in zip(files, sums, strict=True)}


def _sum(path: Path, digest: str) -> str:
    if path.is_symlink() or not path.is_file():
        return "no plain file"
    with path.open("rb") as file:
        return hashlib.file_digest(file, digest).hexdigest()


def _read(path: Path) -> bytes:
    try:
        return read_file(path, most=_MAX_BYTES)
    except (OSError, FileError):
        return b""
