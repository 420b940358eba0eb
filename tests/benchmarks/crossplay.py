"""How well a policy plays with partners that it never met, by Fictitious Co-Play and by plain self-play.

Runs of plain self-play from different seeds are the training partners, in three states of skill each, and others that
nothing is trained with the held-out partners.  One more run trains with the former alone as partners (Fictitious
Co-Play, Strouse et al. 2021, arXiv 2110.08176).  The game is the iterated lever game, whose perfect score is 1.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

from agents.policies.batch import BatchPolicy
from agents.policies.snapshot import SnapshotBatch
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.sides import play_sides
from tests.support.generators import exhaust
from tests.support.lever_game import LEVERS_SPEC, PLAYERS
from trainer.cluster.ray_cluster import start_ray, stop_ray
from trainer.config.reading import make_config
from trainer.runs.control import TrainerServer
from trainer.runs.progress import Progress
from trainer.runs.training import TrainingRun

PARTNERS, HELD_OUT = range(1, 13), range(101, 109)
"""Seeds of the runs of plain self-play."""

STEPS = 40_960  # of each of them
CO_PLAY_STEPS = 8 * STEPS
GAMES = 50  # of each pair in each seating


def crossplay() -> dict[str, Any]:
    """The share of the gap between self-play and cross-play that Fictitious Co-Play closes, and the scores."""
    start_ray(make_config({"game": "house/volley"}))
    try:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            partners = [train(home, f"partner-{seed}", seed) for seed in PARTNERS]
            held_out = [train(home, f"held-out-{seed}", seed)[-1] for seed in HELD_OUT]
            words = [f"snapshot:{name}" for names in partners for name in names]
            own = {"partner_ratio": 1.0, "partners": words, "names_a_fragment": len(words)}
            (*_, co_play) = train(home, "co-play", 1, CO_PLAY_STEPS, **own)
            store = SnapshotStore(home / "snapshots")
            alone = fmean(score(store, name, name) for name in held_out)
            finals = [names[-1] for names in partners]
            across = fmean(score(store, *pair) for pair in itertools.product(finals, held_out))
            closer = fmean(score(store, co_play, name) for name in held_out)
    finally:
        stop_ray()
    return {
        "crossplay": round((closer - across) / (alone - across), 3),
        "crossplay_scores": {"self_play": alone, "cross_play": across, "fictitious_co_play": closer},
    }


def train(home: Path, name: str, seed: int, steps: int = STEPS, **opponents: Any) -> list[str]:
    """The names of a run's snapshots, untrained, half trained and trained."""
    settings = {
        "game": LEVERS_SPEC.id, "seed": seed, "steps": steps, "resources": {"games": 64}, "opponents": opponents,
        "training": {"batch": 2048, "minibatch": 256, "lr": 2e-3, "epochs": 4}, "evaluation": {"steps": 0},
        "freeze": {"save_steps": steps // 2, "placement_games": 0, "at_end": True},
    }  # fmt: skip
    return train_to_the_end(LEVERS_SPEC, home, name, settings)


def train_to_the_end(spec: GameSpec, home: Path, name: str, settings: dict[str, Any]) -> list[str]:
    """Train a run in `home`; the names of the snapshots of its first policy, oldest first."""
    run = TrainingRun(
        make_config(settings), spec, folder=home / "runs" / name, store=SnapshotStore(home / "snapshots"),
        ladder=None, server=TrainerServer(), progress=Progress(name),
    )  # fmt: skip
    try:
        run.run()
        return list(run.lineages[0].names)
    finally:
        run.close()
        run.server.close()


def score(store: SnapshotStore, one: str, other: str) -> float:
    """The mean score of two snapshots together, in both seatings."""
    scores = []
    for names in ((one, other), (other, one)):
        players: dict[str, BatchPolicy] = {
            agent: SnapshotBatch(store.get(name, game=LEVERS_SPEC.id))
            for agent, name in zip(PLAYERS, names, strict=True)
        }
        played = exhaust(play_sides(LEVERS_SPEC, players, players, games=GAMES, seed=1))
        scores += [fmean(game.result.returns.values()) for game in played]
    return fmean(scores)
