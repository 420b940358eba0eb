"""How well clones play: ``python -m tests.benchmarks.imitation [connect_four volley …]``.

`volley_relative_win_rate`: a clone of the scripted player learns from `MINUTES` minutes of matches in which that player
has both seats, recorded by the headless matches of the arcade and read back by ``arcade imitate``'s own parts.  The
figure is its mean win rate against the seven bundled snapshots over the scripted player's own, the same `GAMES` games
with each, half of them on either side.  The recorded matches are played with sticky actions at the rates `STICKY`: the
player sees itself where it did not mean to go, and what it does about it is learnt (Laskey et al. 2017, DART: Noise
injection for robust imitation learning, arXiv 1703.09327).  What it *sent* is cloned; the matches of the figure have no
sticky actions.  The clone looks at its own place and at the ball's place and speed alone (`IGNORED`).  One `SEED`, one
figure; layers half as wide as the usual ones made it 0.98, and 0.91 to 0.99 of matches with four other seeds.
`volley_plain`, which is measured when it is asked for by name, has the same of a clone of as much play without sticky
actions that looks at everything.

`connect_four_agreement`: the share of a depth-limited minimax's moves that a clone of it, from `MATCHES` recorded
matches against a looser version of itself, thinks likeliest; in as many other matches, which neither learning nor its
early stopping saw.  Of these positions `connect_four_new_positions` were in no match that it learnt from, and
`connect_four_agreement_new` is the agreement in those.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

import numpy as np
import torch

from agents.policies.batch import BatchPolicy
from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_lineup
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import BUNDLED as BUNDLED_FOLDER
from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.games import find_game
from arcade.match.batch.in_process import Series, play_series
from arcade.match.batch.opponents import make_policy
from arcade.match.batch.sides import play_sides, win_rate
from arcade.match.stage.rules import StageRules
from arcade.recordings.datasets.episodes import SeatEpisode, demo_episodes
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetQuery
from tests.benchmarks import minimax
from tests.support.generators import exhaust
from trainer.imitation.cloning import Clone, make_clone
from trainer.imitation.order import ImitationSettings, Order, Selection

VOLLEY, FOUR = "house/volley", "classic/connect_four_v3"
MINUTES = 10
STICKY = (0.5, 0.8, 0.9, 0.95)
IGNORED = (2, 3, 8, 9, 10, 11, 12)  # own speed, all of the other player, the clock
BUNDLED = tuple(f"volley-{number}" for number in range(1, 8))
GAMES = 200
MATCHES = 50
SEED = 20_000


def volley(folder: Path, *, sticky: Sequence[float] = STICKY, ignored: tuple[int, ...] = IGNORED) -> dict[str, Any]:
    """The clone against the bundled snapshots, beside the player."""
    store, began = _store(folder), time.monotonic()
    clone = _volley_clone(folder / "replays", store, sticky=sticky, ignored=ignored)
    scripted = make_policy("scripted", find_game(VOLLEY), [])
    rates = {"scripted": _win_rates(scripted, store), "clone": _win_rates(SnapshotBatch(clone.snapshot), store)}
    means = {name: float(np.mean(own)) for name, own in rates.items()}
    return {
        "volley_relative_win_rate": round(means["clone"] / means["scripted"], 3),
        "volley_win_rates": {name: [round(rate, 3) for rate in own] for name, own in rates.items()},
        "volley_minutes": MINUTES,
        "volley_decisions": sum(clone.dataset.who.values()),
        "volley_held_out_accuracy": _accuracy(clone),
        "volley_seconds": round(time.monotonic() - began),
    }


def volley_plain(folder: Path) -> dict[str, Any]:
    """The same without sticky actions, looking at everything."""
    figures = volley(folder, sticky=(0.0,), ignored=())
    return {name.replace("volley", "volley_plain", 1): value for name, value in figures.items()}


def _volley_clone(folder: Path, store: SnapshotStore, *, sticky: Sequence[float], ignored: tuple[int, ...]) -> Clone:
    """Of matches at each of the rates, `MINUTES` together."""
    spec, ticks = find_game(VOLLEY), 60 * 60 * MINUTES // len(sticky)
    lineup = dict.fromkeys(spec.agents, SeatChoice("scripted"))
    for number, rate in enumerate(sticky):
        left, seed = ticks, SEED + 1000 * number
        while left > 0:
            series = Series(seed=seed, max_ticks=left, record=folder, rules=StageRules(sticky_actions=rate))
            left -= play_series(spec, lineup, series, store=store).matches[0].ticks
            seed += 1
        _say(f"volley: {ticks} ticks recorded with sticky actions at {rate:g}")
    settings = ImitationSettings(epochs=30, ignore=ignored)
    return _clone(VOLLEY, folder, store, DatasetQuery(game=VOLLEY, label="scripted"), settings, "clone")


def _win_rates(policy: BatchPolicy, store: SnapshotStore) -> list[float]:
    spec = find_game(VOLLEY)
    return [
        win_rate(exhaust(play_sides(spec, policy, SnapshotBatch(store.get(name)), games=GAMES, seed=SEED + number)))
        for number, name in enumerate(BUNDLED)
    ]


def connect_four(folder: Path) -> dict[str, Any]:
    """A clone of minimax, held against matches that it knows nothing of."""
    store, began = _store(folder), time.monotonic()
    for name, seed in (("learnt", SEED), ("held_out", SEED + 10_000)):
        _record_four(folder / name, store, seed=seed)
    query = DatasetQuery(game=FOUR, label="*minimax:play")
    clone = _clone(FOUR, folder / "learnt", store, query, ImitationSettings(epochs=100, patience=30), "clone")
    known = {row.tobytes() for episode in _episodes(folder / "learnt", query) for row in episode.observations[:-1]}
    held_out = _episodes(folder / "held_out", query)
    agrees = np.concatenate([_agrees(clone.snapshot, episode) for episode in held_out])
    new = np.array([row.tobytes() not in known for episode in held_out for row in episode.observations[:-1]])
    return {
        "connect_four_agreement": round(float(agrees.mean()), 3),
        "connect_four_agreement_new": round(float(agrees[new].mean()), 3),
        "connect_four_new_positions": round(float(new.mean()), 3),
        "connect_four_held_out_moves": len(agrees),
        "connect_four_learnt_moves": sum(clone.dataset.who.values()),
        "connect_four_depth": minimax.DEPTH,
        "connect_four_seconds": round(time.monotonic() - began),
    }


def _record_four(folder: Path, store: SnapshotStore, *, seed: int) -> None:
    """Minimax in either seat in turn."""
    spec, words = find_game(FOUR), ("python:tests.benchmarks.minimax:play", "python:tests.benchmarks.minimax:loose")
    for number, order in enumerate((words, words[::-1])):
        seats = [f"{agent}={word}" for agent, word in zip(spec.agents, order, strict=True)]
        lineup: dict[AgentID, SeatChoice] = parse_lineup(seats, spec.agents, default=SeatChoice("idle"))
        play_series(spec, lineup, Series(episodes=MATCHES // 2, seed=seed + 1000 * number, record=folder), store=store)


def _episodes(folder: Path, query: DatasetQuery) -> list[SeatEpisode]:
    return list(demo_episodes(RecordingLibrary(folder).list()[0], query))


def _agrees(snapshot: Snapshot, episode: SeatEpisode) -> Any:
    """Whether the likeliest action is the one that was sent, row by row."""
    assert episode.action_masks is not None
    rng = np.random.default_rng(0)
    decision = OnnxPolicy(snapshot).decide(episode.observations[:-1], episode.action_masks[:-1], rng, greedy=True)
    return decision.actions == episode.sent


def _clone(
    game: str, folder: Path, store: SnapshotStore, query: DatasetQuery, settings: ImitationSettings, name: str
) -> Clone:
    order = Order(spec=find_game(game), selection=Selection(query=query), settings=settings, layers={}, name=name)
    takes = RecordingLibrary(folder).list()[0][::-1]
    return make_clone(
        order, takes, store, on_epoch=lambda epoch: _say(f"{game} {name}: epoch {epoch.number}, {epoch.validation}")
    )


def _accuracy(clone: Clone) -> float:
    figures = clone.learnt.held_out
    assert figures is not None
    return round(figures.accuracy, 3)


def _store(folder: Path) -> SnapshotStore:
    return SnapshotStore(folder / "snapshots", bundled=(BUNDLED_FOLDER,))


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def main() -> None:
    parts = {"connect_four": connect_four, "volley": volley, "volley_plain": volley_plain}
    figures: dict[str, Any] = {}
    torch.set_num_threads(1)
    for name in sys.argv[1:] or ("connect_four", "volley"):
        with tempfile.TemporaryDirectory() as folder:
            figures |= parts[name](Path(folder))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
