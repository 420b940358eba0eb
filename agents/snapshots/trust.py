"""Snapshots that this machine trusts, by the digest of their graph: those that it made, and those that people named.

Each is an empty file ``ARCADE_HOME/trusted/SHA256``; whatever comes with a snapshot can't add one.
"""

from __future__ import annotations

from pathlib import Path

from agents.files import folder


def is_trusted(sha256: str) -> bool:
    """Whether the graph with this digest, in hexadecimal, may run in a process of ours."""
    return _file(sha256).is_file()


def trust(sha256: str) -> None:
    """Trust the graph with this digest from now on."""
    _file(sha256).touch()


def _file(sha256: str) -> Path:
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError(f"expected a SHA-256 in hexadecimal, got: {sha256[:80]!r}")
    return folder("trusted") / sha256
