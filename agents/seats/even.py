"""Seat word ``level:even``: finds the opponent whose predicted win probability is closest to one half, by the ladder.

It is resolved for the people on the other side.  How far the levels of a game are apart is known beforehand, so that
three matches against one of them tell about all; in between and below the easiest are levels with slips, which in
turn-based games are moves of the level below.  Uncertainty counts as unevenness: of two opponents with equal
predictions the one with the smaller deviation is chosen, and an unrated one only where all rated opponents are clearly
too weak or too strong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents.engines.engine import label_of, present_seats
from agents.ladder.ratings.online import UNKNOWN, Rating, chances
from agents.seats.controller import LEVELS, AgentID, SeatChoice
from agents.seats.kinds import find_kind
from agents.seats.limits import Limits, level_of, limits_of, snapshot_of
from agents.snapshots.store import SnapshotError, SnapshotStore

SLIPS = (0.12, 0.25, 0.4)
MORE_SLIPS = (*SLIPS, 0.55, 0.7, 0.8, 0.9, 1.0)
"""Shares of random moves of levels in between, and of those below the easiest."""
MISTAKES = (0.2, 0.4, 0.6, 0.8)
MORE_MISTAKES = (*MISTAKES, 1.0)
"""The same for shares of moves that are those of the level below."""
EVEN_ENOUGH = 0.095
"""How far the prediction of an even match may be from one half; a level with slips is the second choice."""
HEIGHT_SIGMA = 2.0
"""Standard deviation of the measured heights, in the unit of a rating's mu: people differ from other players."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An AI player that can take the seat."""

    choice: SeatChoice
    label: str  # its name on the ladder
    height: float | None = None  # its strength above random moves, as measured; None: unknown
    slips: bool = False  # a level with slips, for people between two levels


@dataclass(frozen=True, slots=True)
class EvenMatch:
    """The opponent that was found, with the reason."""

    opponent: Opponent
    why: str  # a sentence for people


def opponents(
    game: str,
    agent: AgentID,
    store: SnapshotStore,
    *,
    turn_based: bool,
    scripted: bool,
    rated: Callable[[str], bool],
    has_levels: bool = False,
    heights: Mapping[str, float] | None = None,
) -> list[Opponent]:
    """The levels and installed engines, weakest first, then the rated snapshots, at full strength or with the limits of
    a level, then the scripted player; random moves where there is no other opponent.

    With `has_levels` the levels are those of the scripted player.  With `heights`, the strengths of the levels above
    random moves, levels with slips come last."""
    known = heights or {}
    if has_levels:
        levels = [Opponent(SeatChoice("level", level), f"AI, {level}") for level in LEVELS]
    else:
        levels = list(_levels(game, agent, store, turn_based=turn_based))
    found = [replace(one, height=known.get(one.choice.argument)) for one in levels]
    weaker = _mistaken(found) if has_levels and turn_based else _slipping(found, turn_based, has_levels)
    between = list(weaker)
    found += [Opponent(choice, label_of(choice)) for choice in present_seats(game)]
    names = [card.name for card in store.list(game) if card.plays(agent) and card.name not in store.refused]
    held = {level: limits_of(level, turn_based=turn_based) for level in LEVELS}
    for name in names:
        for level, limits in held.items():
            one = Opponent(SeatChoice("snapshot", name, limits.as_options()), _label(name, level, limits.any))
            found += [one] if rated(one.label) else []
    found += [Opponent(SeatChoice("scripted"), "scripted")] if scripted and not has_levels else []
    found += between
    first = {one.label: one for one in reversed(found)}
    return [one for one in found if first[one.label] is one] or [Opponent(SeatChoice("random"), "random")]


def find_even(
    people: Sequence[str], others: Sequence[Opponent], ratings: Mapping[str, Rating], *,
    own: Callable[[str], str] = str, its: Callable[[str], str] = str,
) -> EvenMatch:  # fmt: skip
    """The most even match for `people`, who are one team, among `others`, weakest first where none is rated.

    `own` and `its` turn labels into names of `ratings`, on their side and on the opponent's.
    """
    team = " and ".join(people) or "you"
    known = [ratings[own(name)] for name in people if own(name) in ratings]
    if not known:
        return EvenMatch(others[0], f"No rated match of {team} yet: the easiest first")
    placed = placed_ratings(others, ratings, its)
    found = _most_even(_combined(known), others, placed)
    if found.label not in placed:
        return EvenMatch(found, f"Not rated yet; no rated opponent is even with {team}")
    expected = chances(_combined(known), [placed[found.label]])
    share, low, high = (f"{100 * float(part[0]):.0f}" for part in (expected.mean, expected.low, expected.high))
    return EvenMatch(found, f"By the ladder, {team} should win {share}% ({low} to {high})")


def _most_even(own: Rating, others: Sequence[Opponent], placed: Mapping[str, Rating]) -> Opponent:
    """The one with the most certain even match: of known strength, and without slips, where there is one."""
    known = [one for one in others if one.label in placed]
    for pool in ([one for one in known if not one.slips], known):
        expected = chances(own, [placed[one.label] for one in pool])
        off = abs(expected.mean - 0.5)
        if (off < EVEN_ENOUGH).any():
            return pool[int(np.where(off < EVEN_ENOUGH, expected.unevenness, np.inf).argmin())]
    expected = chances(own, [placed.get(one.label, UNKNOWN) for one in others])
    return others[int(expected.unevenness.argmin())]


def placed_ratings(
    others: Sequence[Opponent], ratings: Mapping[str, Rating], its: Callable[[str], str] = str
) -> dict[str, Rating]:
    """The ratings of the opponents by label; each known height draws a rating to where the other heights place it.

    The rating of one of these opponents places all of them, the more the surer it is; where none is rated, their mean
    is the rating of an unknown player.
    """
    found = {one.label: ratings[its(one.label)] for one in others if its(one.label) in ratings}
    heights = {one.label: one.height for one in others if one.height is not None}
    if not heights:
        return found
    rated = [
        (found[label].mu - height, found[label].sigma ** -2) for label, height in heights.items() if label in found
    ]
    weight = sum(precision for _mu, precision in rated)
    if rated:
        ground, sigma = sum(mu * precision for mu, precision in rated) / weight, weight**-0.5
    else:
        ground, sigma = UNKNOWN.mu - sum(heights.values()) / len(heights), UNKNOWN.sigma
    for label, height in heights.items():
        expected = Rating(label, ground + height, math.hypot(sigma, HEIGHT_SIGMA))
        found[label] = _joined(found[label], expected) if label in found else expected
    return found


def _joined(one: Rating, two: Rating) -> Rating:
    """The mean of two beliefs, by their precision."""
    first, second = one.sigma**-2, two.sigma**-2
    return Rating(one.name, (one.mu * first + two.mu * second) / (first + second), (first + second) ** -0.5)


def _mistaken(levels: Sequence[Opponent]) -> Iterator[Opponent]:
    """The levels with so many moves of the level below, as much weaker as the share says; those of known heights."""
    below = 0.0
    for one in levels:
        if one.height is None:
            continue
        for share in MISTAKES if below else MORE_MISTAKES:
            choice = SeatChoice("scripted", options=(("level", one.choice.argument), ("mistakes", f"{share:g}")))
            height = one.height + share * (below - one.height)
            yield Opponent(choice, find_kind("scripted").describe(choice), height, slips=True)
        below = one.height


def _slipping(levels: Sequence[Opponent], turn_based: bool, has_levels: bool) -> Iterator[Opponent]:
    """The levels with so many random moves, as much weaker as the share says; those of known heights."""
    for number, one in enumerate(levels):
        limits = Limits() if has_levels else limits_of(one.choice.argument, turn_based=turn_based)
        for share in SLIPS if number else MORE_SLIPS:
            slipping = limits.changed((("noise", f"{share:g}"),))
            is_level = slipping.noise <= limits.noise or level_of(slipping, turn_based=turn_based)
            if one.height is None or is_level:
                continue
            name = one.label if has_levels else one.label.removesuffix(f" ({one.choice.argument})")
            choice = replace(one.choice, options=(("noise", f"{share:g}"),))
            yield Opponent(choice, f"{name} ({slipping.text})", one.height * (1 - share), slips=True)


def seated_as(choice: SeatChoice, found: Opponent) -> SeatChoice:
    """The seat word of the opponent that was found, with the limits of ``level:even`` added."""
    return replace(found.choice, options=tuple((dict(found.choice.options) | dict(choice.options)).items()))


def _levels(game: str, agent: AgentID, store: SnapshotStore, *, turn_based: bool) -> Iterator[Opponent]:
    for level in LEVELS:
        try:
            name = snapshot_of(level, game, agent, store).card.name
        except SnapshotError:
            return  # there are none for the seat
        limits = limits_of(level, turn_based=turn_based)
        yield Opponent(SeatChoice("level", level), _label(name, level, limits.any))


def _label(name: str, level: str, limited: bool) -> str:
    """As `LimitedController` has it."""
    return f"{name} ({level})" if limited else name


def _combined(ratings: Collection[Rating]) -> Rating:
    """One player with the strength of all, as uncertain as they are."""
    mu = sum(rating.mu for rating in ratings) / len(ratings)
    return Rating("", mu, math.sqrt(sum(rating.sigma**2 for rating in ratings) / len(ratings)))
