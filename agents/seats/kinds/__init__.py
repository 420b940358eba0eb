"""Seat words, and the kinds of seats: one table, and the entry point group ``arcade.seats`` for other packages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from agents.seats.controller import SEAT_OPTIONS, AgentID, SeatChoice, SeatError
from agents.seats.kinds import built_in
from agents.seats.kinds.kind import DeviceFactory, NamedSeatKind, SeatContext, SeatKind

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

__all__ = [
    "SEAT_KINDS", "DeviceFactory", "NamedSeatKind", "SeatContext", "SeatKind", "find_kind", "is_kind", "parse_lineup",
    "parse_seat", "register",
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


def parse_seat(word: str) -> SeatChoice:
    """Read a seat word such as ``snapshot:latest``; raises SeatError with the right forms."""
    choice, _, options = word.strip().partition("?")
    name, _, argument = choice.partition(":")
    kind = find_kind(name, word=word)
    try:
        kind.check(argument)
    except SeatError as error:
        raise SeatError(f"{error}, got: {word!r}") from None
    if options and not kind.takes_limits:
        raise SeatError(f"expected {kind.form} with no options after it, got: {word!r}")
    return SeatChoice(name, argument, _parse_options(word, kind, options))


def _parse_options(word: str, kind: SeatKind, options: str) -> tuple[tuple[str, str], ...]:
    pairs = [part.partition("=") for part in options.split("&")] if options else []
    known = (*kind.settings, *SEAT_OPTIONS)
    for name, equals, value in pairs:
        if name not in known or not equals or not value:
            forms = "&".join(f"{one}=NUMBER" for one in known)
            raise SeatError(f"expected options like ?{forms}, got: {word!r}")
    return tuple((name, value) for name, _, value in pairs)


def parse_lineup(words: Iterable[str], agents: Sequence[AgentID], *, default: SeatChoice) -> dict[AgentID, SeatChoice]:
    """Read ``AGENT=CONTROLLER`` words, ``*=`` for every seat not named; `default` fills the others.

    Raises SeatError for an unknown agent (listing the game's agents), a missing ``=`` or a seat named twice.
    """
    named: dict[AgentID, SeatChoice] = {}
    rest = default
    by_text = {str(agent): agent for agent in agents}
    for word in words:
        agent, equals, seat = word.partition("=")
        if not equals:
            raise SeatError(f"expected AGENT=CONTROLLER with AGENT one of {', '.join(by_text)} or *, got: {word!r}")
        choice = parse_seat(seat)
        if agent == "*":
            rest = choice
        elif agent not in by_text:
            raise SeatError(f"expected an agent of {', '.join(by_text)} or *, got: {agent!r} in {word!r}")
        elif by_text[agent] in named:
            raise SeatError(f"expected each seat once, got a second word for {agent!r}: {word!r}")
        else:
            named[by_text[agent]] = choice
    return {agent: named.get(agent, rest) for agent in agents}
