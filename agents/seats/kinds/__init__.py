"""The kinds of seats: one table, and the entry point group ``arcade.seats`` for other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.seats.choice import SeatError
from agents.seats.kinds import built_in
from agents.seats.kinds.kind import DeviceFactory, NamedSeatKind, SeatContext, SeatKind

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

__all__ = [
    "SEAT_KINDS", "DeviceFactory", "NamedSeatKind", "SeatContext", "SeatKind", "find_kind", "is_kind", "register",
]  # fmt: skip

GROUP = "arcade.seats"

SEAT_KINDS: dict[str, SeatKind] = {kind.name: kind() for kind in built_in.KINDS}
"""By name; kinds of other packages once their word was used."""


def register(kind: SeatKind) -> None:
    """Add a kind to the table; one of the same name is replaced."""
    SEAT_KINDS[kind.name] = kind


def is_kind(name: str) -> bool:
    """Whether there is a kind of that name; imports no other package."""
    return name in SEAT_KINDS or name in _entry_points().names


def find_kind(name: str, *, word: str = "") -> SeatKind:
    """The kind of that name; that of another package is imported when its word is first used.

    Raises SeatError, quoting the seat word and listing the valid forms.
    """
    kind = SEAT_KINDS.get(name)
    return _import_kind(name, word or name) if kind is None else kind


def _import_kind(name: str, word: str) -> SeatKind:
    points = _entry_points()
    if name not in points.names:
        forms = ", ".join([*(kind.form for kind in SEAT_KINDS.values()), *sorted(points.names)])
        raise SeatError(f"expected a seat like {forms}, got: {word!r}")
    try:
        kind = points[name].load()()
    except Exception as error:
        text = f"expected a SeatKind from {points[name].value}, got: {type(error).__name__}: {error}"
        raise SeatError(text) from error
    if not isinstance(kind, SeatKind) or kind.name != name:
        raise SeatError(f"expected a SeatKind named {name!r} from {points[name].value}, got: {kind!r}")
    register(kind)
    return kind


def _entry_points() -> EntryPoints:
    from importlib.metadata import entry_points  # takes longer to import than all seat kinds

    return entry_points(group=GROUP)
