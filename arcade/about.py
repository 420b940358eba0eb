"""About: the version, and the libraries that the arcade uses with their licences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata, requires, version

NAME = "pettingzoo-arcade"
NOT_USED = ("dev",)
"""Extras with tools for development alone."""

LONGEST = 60
"""Characters from which a licence field is the whole text rather than its name."""


def own_version() -> str:
    """Return the version of the arcade; "" where it is not installed."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return ""


def libraries() -> list[tuple[str, str, str]]:
    """Return name, version and licence of each installed library that the arcade needs, by name.  Reads the disk."""
    try:
        lines = requires(NAME) or []
    except PackageNotFoundError:
        lines = []
    used = (line for line in lines if not any(f'extra == "{extra}"' in line.replace("'", '"') for extra in NOT_USED))
    names = {found[0] for line in used if (found := re.match(r"[\w.-]+", line))}
    return sorted((entry for name in names if (entry := _entry(name)) is not None), key=lambda one: one[0].lower())


def _entry(name: str) -> tuple[str, str, str] | None:
    try:
        return name, version(name), _licence(metadata(name).json)
    except PackageNotFoundError:
        return None


def _licence(facts: Mapping[str, object]) -> str:
    """Return the name of a licence, from whichever field has it."""
    named = str(facts.get("license_expression") or facts.get("license") or "").strip()
    if named and len(named) <= LONGEST and "\n" not in named:
        return named
    classifiers = facts.get("classifier") or ()
    found = [str(one).rpartition(" :: ")[2] for one in classifiers if "License ::" in str(one)]  # type: ignore[attr-defined]
    return ", ".join(found) or named.partition("\n")[0][:LONGEST]
