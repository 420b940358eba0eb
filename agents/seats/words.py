"""Seat words: ``snapshot:latest?noise=0.1`` is a kind, an argument and options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agents.seats.choice import SEAT_OPTIONS, SeatChoice, SeatError
from agents.seats.controller import AgentID
from agents.seats.kinds import SeatKind, find_kind


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
