"""Approximate exploitability: what a best response, trained for a stated budget, wins against a player.

It is a lower bound of what the best opponent wins (Timbers et al. 2022, "Approximate Exploitability: Learning a Best
Response", arXiv 2004.09677).  ``python -m trainer.best_response REQUEST`` is the program of ``arcade ladder
exploitability`` with a budget.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import typer

from agents.errors import UserError
from agents.plain_text import plain
from agents.platform.children import end_with_parent
from agents.policies.batch import BatchPolicy
from agents.seats.controller import AgentID, SeatSpec
from agents.seats.kinds import parse_seat
from agents.snapshots.card import RESERVED
from agents.snapshots.store import SnapshotStore, open_store
from agents.statistics import Mean, mean_of
from arcade.commands.options import errors_reported, hide_windows
from arcade.exploitability.players import seat_word
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import find_snapshot, fitting, make_policy
from arcade.match.batch.sides import Side, SideResult, play_sides, policies_of
from arcade.match.play.result import MatchResult
from trainer.command import end_at_once
from trainer.config.reading import make_config, override, read_recipe
from trainer.runs import launch
from trainer.runs.choice import Chosen, complete, find_installed
from trainer.runs.launch import show_nothing
from trainer.runs.progress import LastingConsole, Progress
from trainer.runs.stopping import End, StoppedAtOnce, StoppedEarly

if TYPE_CHECKING:
    from trainer.runs.training import TrainingRun

RESPONSES = 4
"""Snapshots of a training, evenly spread, of which the best in each seat counts."""

TRIED = 64
"""Games by which the best is found; it is rated by others."""

GAMES = 400
"""Games of the best response in the seats of each team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestResponse:
    """What the best of the trained responses to a player wins, in the rewards of the game."""

    game: str
    player: str
    values: tuple[Mean, ...]  # in the seats of each team, the player in all others; the mean over a team's seats
    alone: float  # the sum over the teams where the player meets itself: 0 in a zero-sum game
    steps: int  # env steps of the training
    seconds: float

    @property
    def nash_conv(self) -> float:
        """At most the player's NashConv, but for the luck of the games played."""
        return sum(value.mean for value in self.values) - self.alone

    @property
    def exploitability(self) -> float:
        """The mean over the teams."""
        return self.nash_conv / len(self.values)

    def as_data(self) -> dict[str, Any]:
        """Plain data, with the keys of the exact figure."""
        return {
            "game": self.game, "player": self.player, "exact": False, "values": [one.mean for one in self.values],
            "intervals": [[one.low, one.high] for one in self.values], "nash_conv": self.nash_conv,
            "exploitability": self.exploitability, "steps": self.steps, "seconds": round(self.seconds, 1),
            "games": self.values[0].count,
        }  # fmt: skip


def best_response(
    game: str, player: str, *, steps: int = 0, minutes: float = 0.0, games: int = GAMES, seed: int = 0,
    settings: Sequence[str] = (), show: Callable[[Chosen], Progress] = show_nothing, end: End | None = None,
) -> BestResponse:  # fmt: skip
    """Train against the player alone, from its own weights where it is a snapshot of this trainer, and play it.

    In each match the response has the seats of one team and the player all others.

    `settings` are further ones of the run, as in "training.lr=1e-3".  Nothing of the training is kept, and no match
    counts on the ladder.  Raises UserError.
    """
    spec = find_installed(game)
    if len(spec.teams) < 2:
        raise UserError(f"expected a game of two teams or more, got: {spec.id}, whose players have no opponent")
    word, held, start = _find(player, spec)
    budget = {
        "game": spec.id, "seed": seed, "steps": steps, "minutes": minutes, "start_from": start,
        "opponents": {"fixed": [word], "fixed_ratio": 1.0, "play_against_latest_model_ratio": 0.0},
        "freeze": {
            "at_start": False, "at_end": True, "save_steps": steps // RESPONSES, "minutes": minutes / RESPONSES,
            "win_rate": 0.0, "placement_games": 0,
        },
        "evaluation": {"steps": 0}, "checkpoints": {"best_by": "score"},
    }  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="best-response-") as folder, make_vector_env(spec, 1) as env:
        own = SnapshotStore(Path(folder) / "snapshots", held=held)
        config = make_config(complete(override(budget, settings), spec))
        chosen = Chosen(config, spec, Path(folder) / "runs" / config.run)
        run = launch.play(chosen, store=own, show=show, end=end)
        rival = make_policy(word, spec, env.places, find_snapshot(word, env, own))
        sides: list[Side] = [rival, *_responses(run, own, spec, env.places)]  # it may be its own best response
        try:
            teams = range(len(spec.teams))
            best = [_best(spec, sides, rival, team, seed=seed + 1) for team in teams]
            won = [_won(spec, best[team], rival, team, games=games, seed=seed + 2) for team in teams]
            against_itself = _finished(play_sides(spec, rival, rival, games=games, seed=seed + 3))
        finally:
            for policy in {policy for side in sides for policy in policies_of(side)}:
                policy.close()
    return BestResponse(
        game=spec.id, player=word.removeprefix("snapshot:"), values=tuple(filter(None, map(mean_of, won))),
        alone=fmean(sum(_return(spec, game.result, team) for team in teams) for game in against_itself),
        steps=run.step - run.base_step, seconds=run.seconds,
    )  # fmt: skip


def _responses(
    run: TrainingRun, store: SnapshotStore, spec: GameSpec, places: Sequence[SeatSpec]
) -> Iterator[Mapping[AgentID, BatchPolicy]]:
    """The policies of all seats, as they were frozen together."""
    names = [lineage.saved_names(run.run_id) for lineage in run.lineages]
    for frozen in zip(*names, strict=False):
        made = [make_policy(name, spec, places, store.get(name)) for name in frozen]
        yield {agent: one for one, own in zip(made, run.lineages, strict=True) for agent in own.policy.agents}


def _find(player: str, spec: GameSpec) -> tuple[str, dict[str, Any], str]:
    """The player's seat word, its snapshot by the names that it is asked by, and one to start from, "" for none.

    Raises UserError for a player that does not play every seat.
    """
    store = open_store()
    choice = parse_seat(word := seat_word(player, spec, store))
    held, start = {}, ""
    if choice.kind == "snapshot" and not choice.options:
        snapshot = store.get(choice.argument, game=spec.id)
        name = snapshot.card.name if choice.argument in RESERVED else choice.argument
        word, held = f"snapshot:{name}", {name: snapshot, snapshot.card.name: snapshot}
        start = name if read_recipe(snapshot.onnx) else ""
    with make_vector_env(spec, 1) as env:
        if fitting(word, find_snapshot(word, env, store), env) != list(env.agents):
            raise UserError(f"expected a player of all seats of {spec.id}, got: {player}")
    return word, held, start


def _best(spec: GameSpec, sides: Sequence[Side], rival: BatchPolicy, team: int, *, seed: int) -> Side:
    """The side that wins the most in the seats of the team."""
    return max(sides, key=lambda side: fmean(_won(spec, side, rival, team, games=TRIED, seed=seed)))


def _won(spec: GameSpec, side: Side, rival: BatchPolicy, team: int, *, games: int, seed: int) -> list[float]:
    """The mean return of the side in the seats of the team, of each game."""
    played = _finished(play_sides(spec, side, rival, games=games, seed=seed, teams=(team,)))
    return [_return(spec, game.result, team) for game in played]


def _return(spec: GameSpec, result: MatchResult, team: int) -> float:
    return fmean(float(result.returns[str(agent)]) for agent in spec.teams[team])


def _finished(steps: Generator[None, None, list[SideResult]]) -> list[SideResult]:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            results: list[SideResult] = end.value
            return results


def show_beside(chosen: Chosen) -> Progress:
    """The progress on stderr, beside the figures."""
    config, console = chosen.config, LastingConsole(stderr=True)
    return Progress(f"{chosen.spec.title}  best response", console=console, target=config.steps, minutes=config.minutes)


def print_best_response(found: BestResponse) -> None:
    """Print the bound, and what was done for it."""
    won = ", ".join(f"{one.mean:+.4f} ({one.low:+.4f} to {one.high:+.4f})" for one in found.values)
    print(
        f"{plain(found.player)} in {found.game}: NashConv at least {found.nash_conv:.4f}, "
        f"exploitability at least {found.exploitability:.4f}"
    )
    print(
        f"a best response trained for {found.steps:,} env steps ({found.seconds:.0f} s) wins, in "
        f"{found.values[0].count} games in the seats of each team: {won}"
    )


def main(request: str, *flags: str) -> int:
    """Train and print with the arguments `request`, as JSON, of `best_response`; returns the exit status."""
    given, as_json = json.loads(request), "--json" in flags
    hide_windows()
    end_with_parent()
    end = partial(end_at_once, as_json=as_json)
    try:
        with errors_reported():
            found = best_response(**given, show=show_nothing if as_json else show_beside, end=end)
    except (StoppedEarly, StoppedAtOnce) as stopped:
        end(type(stopped))
    except typer.Exit as error:
        return error.exit_code
    if as_json:
        print(json.dumps(found.as_data()))
    else:
        print_best_response(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
