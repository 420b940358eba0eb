"""Signatures of this machine's own files: HMAC-SHA256 with a key in ``ARCADE_HOME/keys`` that only its owner can read.

A file that another machine made, or that was changed since, has no valid signature here.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from agents.files.private import PrivateFileError, keys_folder, read_private

KEY_FILE = "signing.key"
_KEY_BYTES = 32


def sign(purpose: str, data: bytes) -> str:
    """The signature of `data`, in hexadecimal; signatures for another purpose differ.  Raises PrivateFileError."""
    return hmac.new(_key(), purpose.encode() + b"\0" + data, hashlib.sha256).hexdigest()


def is_signed(purpose: str, data: bytes, signature: str) -> bool:
    """Whether this machine made the signature for that purpose.  Raises PrivateFileError."""
    return hmac.compare_digest(sign(purpose, data).encode(), signature.encode())


def _key() -> bytes:
    path = keys_folder() / KEY_FILE
    key = read_private(path, lambda: secrets.token_bytes(_KEY_BYTES))
    if len(key) != _KEY_BYTES:
        raise PrivateFileError(f"expected {_KEY_BYTES} bytes in {path}, got: {len(key)}; move it away")
    return key
