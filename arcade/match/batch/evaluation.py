"""Evaluation: win rates and returns of a lineup over many matches."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.seats.controller import AgentID, SeatChoice, SeatError
from agents.seats.limits import snapshot_of
from agents.snapshots.store import SnapshotStore
from agents.statistics import CONFIDENCE, as_data, mean_of, rate_of
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import NO_OPENING, Fixture, MatchPlan, Played
from arcade.match.play.lineup import at_level, choice_limits, next_seats
from arcade.match.play.opening import Opening
from arcade.match.play.opening_files import read_openings
from arcade.match.play.result import MatchResult, versions
from arcade.match.stage.rules import PLAIN, StageRules

MOVING = ("latest", "best")
"""Names of snapshots that change over time."""

MATCH_FIGURES = ("ticks", "ended", "lineup", "returns", "placements", "unrated")
INTERVALS = (
    f"{100 * CONFIDENCE:g}%: Student's t for means, with the matches of one seed taken as one observation; "
    "Wilson's for rates"
)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The players of a game and the number of their matches."""

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]  # snapshots by name: see `pin`
    episodes: int
    seed: int = 0  # of the first match; the next ones count up
    swap: bool = False  # each seed is played twice, the second time with all players in the opposite seats
    max_ticks: int | None = None
    rules: StageRules = PLAIN
    openings: tuple[Opening, ...] = ()  # of a board game, one after another, the same for both sides of a seed
    openings_file: str = ""  # as text, for the command

    def plan(self, store: SnapshotStore) -> MatchPlan:
        """The players by the seats that the lineup gives them."""
        players = tuple(self.lineup[agent] for agent in self.spec.agents)
        return MatchPlan(
            spec=self.spec, players=players, snapshots=store.root, max_ticks=self.max_ticks, rules=self.rules,
            openings=self.openings,
        )  # fmt: skip

    def fixtures(self) -> list[Fixture]:
        """All matches; with `swap` every second one repeats the seed of the one before it, sides changed."""
        number = {agent: i for i, agent in enumerate(self.spec.agents)}
        lineups = [
            tuple(number[self.seat_of(agent, swapped=swapped)] for agent in self.spec.agents)
            for swapped in ((False, True) if self.swap else (False,))
        ]
        return [
            Fixture(
                number=e,
                seed=(self.seed + e // len(lineups)) % 2**32,
                players=lineups[e % len(lineups)],
                opening=e // len(lineups) % len(self.openings) if self.openings else NO_OPENING,
            )
            for e in range(self.episodes)
        ]

    def is_swapped(self, fixture: Fixture) -> bool:
        """Whether all players sit in the opposite seats."""
        return self.swap and fixture.number % 2 == 1

    def command(self) -> str:
        """The command line that repeats it."""
        line = ["arcade", "evaluate", self.spec.id]
        for agent, choice in self.lineup.items():
            line += ["--seat", f"{agent}={choice}"]
        line += ["--episodes", str(self.episodes), "--seed", str(self.seed)]
        line += [] if self.max_ticks is None else ["--max-ticks", str(self.max_ticks)]
        line += ["--openings", self.openings_file] if self.openings_file else []
        return shlex.join([*line, *self.rules.as_options(), "--swap" if self.swap else "--no-swap"])

    def seat_of(self, agent: AgentID, *, swapped: bool) -> AgentID:
        """The seat of the player that the lineup gives to `agent`."""
        return next_seats(self.spec)[agent] if swapped else agent


def with_openings(evaluation: Evaluation, path: str | Path) -> Evaluation:
    """Return the evaluation with the openings of a file; raises OpeningError."""
    return replace(evaluation, openings=read_openings(Path(path), evaluation.spec), openings_file=str(path))


def pin(lineup: Mapping[AgentID, SeatChoice], spec: GameSpec, store: SnapshotStore) -> dict[AgentID, SeatChoice]:
    """The lineup with each ``latest`` and ``best`` replaced by its current name, a level by its snapshot and limits.

    All matches then have the same players.  Raises SeatError where a seat needs a person, SnapshotError where there is
    no such snapshot.
    """
    people = [f"{agent}={choice}" for agent, choice in lineup.items() if choice.is_human or choice.is_even]
    if people:
        raise SeatError(f"expected AI players for an evaluation, got: {', '.join(people)}; try snapshot:latest")
    return {agent: _pinned(choice, agent, spec, store) for agent, choice in lineup.items()}


def _pinned(choice: SeatChoice, agent: AgentID, spec: GameSpec, store: SnapshotStore) -> SeatChoice:
    choice = at_level(choice, spec)
    if choice.kind == "level":
        name = snapshot_of(choice.argument, spec.id, agent, store).card.name
        return SeatChoice("snapshot", name, choice_limits(choice, spec).as_options())
    if choice.kind != "snapshot" or choice.argument not in MOVING:
        return choice
    return replace(choice, argument=store.get(choice.argument, game=spec.id, agent=agent).card.name)


_Match = tuple[Fixture, MatchResult]


def summarise(evaluation: Evaluation, played: Sequence[Played], *, store: SnapshotStore) -> dict[str, Any]:
    """The figures as plain data; they depend on the evaluation alone."""
    spec = evaluation.spec
    matches = [(one.fixture, one.result) for one in played if one.result]
    ends = [result.ended for _, result in matches]
    return {
        "game": spec.id,
        "episodes": evaluation.episodes,
        "played": len(matches),
        "seed": evaluation.seed,
        "swap": evaluation.swap,
        "max_ticks": evaluation.max_ticks,
        **evaluation.rules.as_settings(),
        "lineup": {str(agent): str(choice) for agent, choice in evaluation.lineup.items()},
        "snapshots": _fingerprints(evaluation, store),
        "seats": [{"seat": str(agent), **_seat_figures(evaluation, matches, (agent,))} for agent in spec.agents],
        "teams": [_seat_figures(evaluation, matches, team) for team in spec.teams],
        "length": _length(matches),
        "ticks": sum(result.ticks for _, result in matches),
        "ended": {end: ends.count(end) for end in sorted(set(ends))},
        "intervals": INTERVALS,
        "matches": [
            {**_which(evaluation, fixture), **{name: getattr(result, name) for name in MATCH_FIGURES}}
            for fixture, result in matches
        ],
        "failures": [{**_which(evaluation, one.fixture), "error": one.error} for one in played if one.result is None],
        "versions": dict(versions()),
        "command": evaluation.command(),
    }


def _fingerprints(evaluation: Evaluation, store: SnapshotStore) -> dict[str, str]:
    """Each snapshot that the lineup names, or that a pool seat could draw, to the sha256 of its graph."""
    game, choices = evaluation.spec.id, evaluation.lineup.values()
    words = dict.fromkeys(choice.argument for choice in choices if choice.kind == "snapshot")
    pool = store.list(game) if any(choice.kind == "pool" for choice in choices) else []
    named = {word: store.get(word, game=game).card.sha256 for word in words}
    return {card.name: card.sha256 for card in pool} | named


def _seat_figures(evaluation: Evaluation, matches: Sequence[_Match], players: Sequence[AgentID]) -> dict[str, Any]:
    """The figures of the players that the lineup names for these seats of one team, over all and on each side."""
    sides = []
    for swapped in (False, True) if evaluation.swap else (False,):
        there = [match for match in matches if evaluation.is_swapped(match[0]) == swapped]
        seats = [str(evaluation.seat_of(player, swapped=swapped)) for player in players]
        sides.append({"seats": seats, **_figures(evaluation, there, players), "length": _length(there)})
    return {
        "seats": [str(player) for player in players],
        "players": [str(evaluation.lineup[player]) for player in players],
        **_figures(evaluation, matches, players),
        "sides": sides,
    }


def _figures(evaluation: Evaluation, matches: Sequence[_Match], players: Sequence[AgentID]) -> dict[str, Any]:
    pairs = [
        ([str(evaluation.seat_of(player, swapped=evaluation.is_swapped(fixture))) for player in players], result)
        for fixture, result in matches
    ]
    returns = [sum(result.returns[seat] for seat in own) / len(own) for own, result in pairs]
    ends = [result.outcome(own[0]) for own, result in pairs]
    return {
        "labels": sorted({result.lineup[seat] for own, result in pairs for seat in own}),
        "return": as_data(mean_of(returns, [fixture.seed for fixture, _ in matches])),
        "outcomes": {name: as_data(rate_of(ends.count(name), len(ends))) for name in ("win", "draw", "loss")}
        if len(evaluation.spec.teams) > 1
        else None,
        "late": sum(result.late[seat] for own, result in pairs for seat in own),
    }


def _length(matches: Sequence[_Match]) -> dict[str, Any] | None:
    """The length of the matches in ticks."""
    return as_data(mean_of([result.ticks for _, result in matches], [fixture.seed for fixture, _ in matches]))


def _which(evaluation: Evaluation, fixture: Fixture) -> dict[str, Any]:
    opening = {} if fixture.opening == NO_OPENING else {"opening": evaluation.openings[fixture.opening].text}
    return {"episode": fixture.number, "seed": fixture.seed, "swapped": evaluation.is_swapped(fixture), **opening}
