"""Names of files that suit Linux, macOS and Windows."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 120
"""Bytes, so that a suffix still fits into the 255 that file systems take."""

_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)", re.IGNORECASE)
"""Windows opens these devices by name in every folder, also with a suffix."""


def safe_name(word: str, *, default: str = "file") -> str:
    """`word` as a plain file name: letters and digits of any language, and ``-_.+()``; others become ``-``."""
    text = unicodedata.normalize("NFC", word)
    kept = "".join(letter if letter.isalnum() or letter in "-_.+() " else "-" for letter in text)
    kept = kept.encode()[:LONGEST].decode(errors="ignore").strip(" .-") or default
    return f"_{kept}" if _DEVICES.match(kept) else kept


def is_safe(name: str) -> bool:
    """Whether each system takes the name as it is."""
    return bool(name) and safe_name(name) == name
