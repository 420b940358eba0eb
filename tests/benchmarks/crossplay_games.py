"""How well cooperative policies play with strangers.

``python -m tests.benchmarks.crossplay_games [GAME …] [--minutes N]`` prints for each game, each run with its preset and
so many minutes:

- `self_play`: mean score of an agent when policies of plain self-play play with themselves
- `cross_play`: of these with each other, over all pairs of training partners and held-out ones; `gap`: less `self_play`
- `fictitious_co_play`: of a policy that learnt with the training partners alone, with the held-out ones; `closed`: the
  share of the gap that it closes, null unless `cross_play` is lower by a twentieth of `self_play`
- `clones`: of the policies of self-play, and of Fictitious Co-Play, with clones of players that neither has met, which
  imitate recorded matches of the game's levels `CLONED`; these err as people do

Training partners are the first, middle and last snapshot of each of `PARTNERS`' runs (Strouse et al. 2021,
Collaborating with Humans without Human Data, arXiv 2110.08176).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.in_process import Series, play_series
from arcade.match.batch.sides import play_partners
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetQuery
from tests.benchmarks.crossplay import train_to_the_end
from tests.support.generators import exhaust
from trainer.cluster.ray_cluster import start_ray, stop_ray
from trainer.config.reading import make_config
from trainer.imitation.cloning import make_clone
from trainer.imitation.order import ImitationSettings, Order, Selection
from trainer.runs.choice import complete

GAMES = ("classic/hanabi_v5", "mpe/simple_spread_v3", "butterfly/cooperative_pong_v6")
PARTNERS, HELD_OUT = (1, 2, 3), (101, 102)
"""Seeds of the runs of plain self-play."""
CLONED = ("normal", "hard")
RECORDED = 24  # matches of each level
MATCHES = 32  # of each pair


@dataclass(frozen=True)
class Lab:
    """The runs, snapshots and recordings of one game."""

    spec: GameSpec
    home: Path
    minutes: float

    @property
    def store(self) -> SnapshotStore:
        return SnapshotStore(self.home / "snapshots")

    def train(self, name: str, seed: int, **opponents: Any) -> list[str]:
        """The names of a run's snapshots, untrained, half trained and trained."""
        settings = {
            "game": self.spec.id, "seed": seed, "minutes": self.minutes, "opponents": opponents,
            "freeze": {"minutes": self.minutes / 2, "save_steps": 0, "placement_games": 0, "at_end": True},
            "evaluation": {"steps": 0}, "resources": {"threads": 1, "runners": 0},
        }  # fmt: skip
        names = train_to_the_end(self.spec, self.home, name, complete(settings, self.spec))
        return [names[0], names[len(names) // 2], names[-1]]

    def clone(self, level: str) -> str:
        """The name of a clone of the level, from matches in which it has all seats."""
        folder, lineup = self.home / "recordings" / level, dict.fromkeys(self.spec.agents, SeatChoice("level", level))
        play_series(self.spec, lineup, Series(episodes=RECORDED, seed=1, record=folder), store=self.store)
        query = DatasetQuery(game=self.spec.id)
        order = Order(
            spec=self.spec, selection=Selection(query=query), settings=ImitationSettings(), layers={},
            name=f"clone-{level}",
        )  # fmt: skip
        return make_clone(order, RecordingLibrary(folder).list()[0], self.store).snapshot.card.name

    def score(self, ones: Iterable[str], others: Iterable[str] = ()) -> float:
        """The mean score of an agent over all pairs; of each of `ones` with itself where there are no others."""
        pairs = list(product(ones, others)) or [(one, one) for one in ones]
        return fmean(fmean(self._scores(*pair)) for pair in pairs)

    def _scores(self, one: str, other: str) -> list[float]:
        sides = [SnapshotBatch(self.store.get(name, game=self.spec.id)) for name in (one, other)]
        played = exhaust(play_partners(self.spec, *sides, games=MATCHES, seed=1))
        return [fmean(game.result.returns.values()) for game in played]


def measure(game: str, minutes: float) -> dict[str, Any]:
    """The figures of one game."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(find_game(game), Path(folder), minutes)
        partners = [lab.train(f"partner-{seed}", seed) for seed in PARTNERS]
        held_out = [lab.train(f"held-out-{seed}", seed)[-1] for seed in HELD_OUT]
        words = [f"snapshot:{name}" for names in partners for name in names]
        co_play = lab.train("co-play", 1, partner_ratio=1.0, partners=words, names_a_fragment=len(words))[-1:]
        finals, clones = [names[-1] for names in partners], [lab.clone(level) for level in CLONED]
        alone, across = lab.score((*finals, *held_out)), lab.score(finals, held_out)
        closer = lab.score(co_play, held_out)
        return {
            "self_play": alone, "cross_play": across, "gap": across - alone, "fictitious_co_play": closer,
            "closed": (closer - across) / (alone - across) if alone - across > abs(alone) / 20 else None,
            "clones": {"self_play": lab.score(finals, clones), "fictitious_co_play": lab.score(co_play, clones)},
            "minutes": minutes,
        }  # fmt: skip


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--minutes", type=float, default=6.0, help="of each run")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        start_ray(make_config({"game": "house/volley"}))
        try:
            print(json.dumps({game: measure(find_game(game).id, asked.minutes) for game in asked.games or GAMES}))
        finally:
            stop_ray()


if __name__ == "__main__":
    main(sys.argv[1:])
