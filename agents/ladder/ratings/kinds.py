"""What kind of player a label stands for, as rows tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.ladder.ratings.rows import Row

PERSON, ENGINE = "person", "engine"
_OF_SEATS: Mapping[str, str] = {
    "keyboard": PERSON, "gamepad": PERSON, "level": "snapshot", "pool": "snapshot", "uci": ENGINE, "gtp": ENGINE
}  # fmt: skip
"""Kinds of seat words that are called otherwise here; all others keep their name."""

_PLAIN = ("random", "idle", "scripted")


def kinds_of(row: Row) -> dict[str, str]:
    """Label to "person", "snapshot", "engine", "remote", "python", "scripted", "random" or "idle"; "" where the row
    does not say."""
    seats = row["settings"].get("seats", {})
    return {label: _kind(label, seats.get(agent, {}), row["source"]) for agent, label in row["lineup"].items()}


def _kind(label: str, report: Mapping[str, Any], source: str) -> str:
    if "kind" in report:
        return _OF_SEATS.get(report["kind"], str(report["kind"]))
    if "device" in report:  # rows of before kinds were noted
        return PERSON
    if "snapshot" in report or source == "trainer":
        return "snapshot"
    return label if label in _PLAIN else ""
