"""An evaluation: the same players over many matches, and what those say of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import AgentID
from agents.seats.levels import snapshot_of
from agents.snapshots.store import SnapshotStore
from agents.statistics import CONFIDENCE, mean_of, rate_of
from arcade.games.spec import GameSpec
from arcade.match.batch.rounds import Played, Round
from arcade.match.play.lineup import choice_limits
from arcade.match.play.result import MatchResult
from arcade.match.play.sides import opposite_seats
from arcade.match.play.versions import versions
from arcade.match.stage.rules import PLAIN, StageRules

MOVING = ("latest", "best")
"""Words for snapshots that mean another one tomorrow."""

INTERVALS = (
    f"{100 * CONFIDENCE:g} %: Student's t for means, with the matches of one seed taken as one observation; "
    "Wilson's for rates"
)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Who plays what, how often."""

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]  # snapshots by name: see `pin`
    episodes: int
    seed: int = 0  # of the first match; the next ones count up
    swap: bool = False  # each seed is played twice, the second time with everybody in the opposite seat
    max_ticks: int | None = None
    rules: StageRules = PLAIN

    def rounds(self) -> list[Round]:
        """With `swap` every second match repeats the seed of the one before it, sides changed."""
        if not self.swap:
            return [Round(episode=e, seed=(self.seed + e) % 2**32) for e in range(self.episodes)]
        return [Round(episode=e, seed=(self.seed + e // 2) % 2**32, swapped=e % 2 == 1) for e in range(self.episodes)]

    def command(self) -> str:
        """The command line that repeats it."""
        words = ["arcade", "evaluate", self.spec.id]
        for agent, choice in self.lineup.items():
            words += ["--seat", f"{agent}={choice}"]
        words += ["--episodes", str(self.episodes), "--seed", str(self.seed)]
        words += [] if self.max_ticks is None else ["--max-ticks", str(self.max_ticks)]
        words += [*self.rules.as_words()]
        return shlex.join([*words, "--swap" if self.swap else "--no-swap"])

    def seat_in(self, round: Round, agent: AgentID) -> AgentID:
        """Where the player that the lineup gives to `agent` sits in this round."""
        return opposite_seats(self.spec)[agent] if round.swapped else agent


def pin(lineup: Mapping[AgentID, SeatChoice], spec: GameSpec, store: SnapshotStore) -> dict[AgentID, SeatChoice]:
    """The lineup with each ``latest`` and ``best`` by its name of this moment, a level by its snapshot and limits.

    It means the same in every match then.  Raises SeatError where a seat needs a person, SnapshotError where there is
    no such snapshot.
    """
    people = [f"{agent}={choice}" for agent, choice in lineup.items() if choice.is_human or choice.is_even]
    if people:
        raise SeatError(
            f"expected players that need nobody at the keyboard for an evaluation, got: {', '.join(people)}; "
            "try snapshot:latest"
        )
    return {agent: _pinned(choice, agent, spec, store) for agent, choice in lineup.items()}


def _pinned(choice: SeatChoice, agent: AgentID, spec: GameSpec, store: SnapshotStore) -> SeatChoice:
    if choice.kind == "level":
        name = snapshot_of(choice.argument, spec.id, agent, store).card.name
        return SeatChoice("snapshot", name, choice_limits(choice, spec).as_options())
    if choice.kind != "snapshot" or choice.argument not in MOVING:
        return choice
    return replace(choice, argument=store.get(choice.argument, game=spec.id, agent=agent).card.name)


Match = tuple[Round, MatchResult]


def summarise(evaluation: Evaluation, played: Sequence[Played], *, store: SnapshotStore) -> dict[str, Any]:
    """All that is to be said, as plain data: with the same seed the same, whoever played it and however fast."""
    spec = evaluation.spec
    matches = [(one.round, one.result) for one in played if one.result]
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
        "seats": [{"seat": str(agent), **_standing(evaluation, matches, (agent,))} for agent in spec.agents],
        "teams": [_standing(evaluation, matches, team) for team in spec.teams],
        "length": _length(matches),
        "ticks": sum(result.ticks for _, result in matches),
        "ended": {end: ends.count(end) for end in sorted(set(ends))},
        "intervals": INTERVALS,
        "matches": [_match(round, result) for round, result in matches],
        "failures": [_failure(one) for one in played if one.result is None],
        "versions": versions(),
        "command": evaluation.command(),
    }


def _fingerprints(evaluation: Evaluation, store: SnapshotStore) -> dict[str, str]:
    """Each snapshot that the lineup names, or that a pool seat could draw, to the sha256 of its graph."""
    game, choices = evaluation.spec.id, evaluation.lineup.values()
    words = dict.fromkeys(choice.argument for choice in choices if choice.kind == "snapshot")
    pool = store.list(game) if any(choice.kind == "pool" for choice in choices) else []
    named = {word: store.get(word, game=game).card.sha256 for word in words}
    return {card.name: card.sha256 for card in pool} | named


def _standing(evaluation: Evaluation, matches: Sequence[Match], players: Sequence[AgentID]) -> dict[str, Any]:
    """How the players that the lineup names for these seats of one team did, over all and on each side."""
    sides = []
    for swapped in (False, True) if evaluation.swap else (False,):
        there = [match for match in matches if match[0].swapped == swapped]
        round = Round(episode=0, seed=0, swapped=swapped)
        seats = [str(evaluation.seat_in(round, player)) for player in players]
        sides.append({"seats": seats, **_figures(evaluation, there, players), "length": _length(there)})
    return {
        "seats": [str(player) for player in players],
        "players": [str(evaluation.lineup[player]) for player in players],
        **_figures(evaluation, matches, players),
        "sides": sides,
    }


def _figures(evaluation: Evaluation, matches: Sequence[Match], players: Sequence[AgentID]) -> dict[str, Any]:
    seats = [[str(evaluation.seat_in(round, player)) for player in players] for round, _ in matches]
    pairs = list(zip(seats, (result for _, result in matches), strict=True))
    returns = [sum(result.returns[seat] for seat in own) / len(own) for own, result in pairs]
    labels = sorted({result.lineup[seat] for own, result in pairs for seat in own})
    return {
        "labels": labels,
        "return": _data(mean_of(returns, [round.seed for round, _ in matches])),
        "outcomes": _outcomes([_outcome(result, own[0]) for own, result in pairs], evaluation.spec),
        "late": sum(result.late[seat] for own, result in pairs for seat in own),
    }


def _outcome(result: MatchResult, seat: str) -> str:
    """As the ladder counts: alone in the first place is a win, sharing it a draw."""
    first = sum(result.placements[team[0]] == 1 for team in result.teams)
    if result.placements[seat] > 1:
        return "loss"
    return "win" if first == 1 else "draw"


def _outcomes(outcomes: Sequence[str], spec: GameSpec) -> dict[str, Any] | None:
    """None in a game of one team, which nobody can win against."""
    if len(spec.teams) < 2:
        return None
    return {name: _data(rate_of(outcomes.count(name), len(outcomes))) for name in ("win", "draw", "loss")}


def _length(matches: Sequence[Match]) -> dict[str, Any] | None:
    """Of the matches, in ticks."""
    return _data(mean_of([result.ticks for _, result in matches], [round.seed for round, _ in matches]))


def _data(figure: Any) -> dict[str, Any] | None:
    return None if figure is None else figure.as_json()


def _match(round: Round, result: MatchResult) -> dict[str, Any]:
    return {
        **_which(round),
        "ticks": result.ticks,
        "ended": result.ended,
        "lineup": result.lineup,
        "returns": result.returns,
        "placements": result.placements,
    }


def _failure(played: Played) -> dict[str, Any]:
    return {**_which(played.round), "error": played.error}


def _which(round: Round) -> dict[str, Any]:
    return {"episode": round.episode, "seed": round.seed, "swapped": round.swapped}
