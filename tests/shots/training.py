"""Pictures of the training screens: a made-up run, and a trainer that trains nothing."""

from __future__ import annotations

import json
import math
import random
from typing import TYPE_CHECKING, Any

from agents.files import folder
from arcade.scenes import routes
from arcade.scenes.training.new_run_scene import NewRunScene
from arcade.scenes.training.run_scene import RunScene
from arcade.scenes.training.runs_scene import RunsScene
from tests.support.fake_trainer import FakeTrainer

if TYPE_CHECKING:
    from tests.shots.camera import Shots

RUN, LINES, BATCH = "volley-20261121-101500", 400, 16_384


def take_training(shots: Shots) -> None:
    """Runs, curves, pool, matchmaking, a game that is watched, and the form."""
    metrics = made_up_metrics(random.Random(7))
    path = folder("runs") / RUN
    with FakeTrainer(path, step=LINES * BATCH, snapshots=12) as trainer:
        (path / "manifest.json").write_text(json.dumps({"game": "house/volley"}))
        (path / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in metrics))
        scene = shots.show(RunsScene(shots.services, routes.Runs()))
        assert isinstance(scene, RunsScene)
        shots.until(lambda: bool(scene.runs) and scene.runs[0].reached is not None, what="the run")
        shots.take("training")
        scene.show_run(scene.runs[0])
        run = shots.engine.scene
        assert isinstance(run, RunScene)
        _take_run(shots, run, trainer)
    form = NewRunScene(shots.services, routes.NewRun())
    shots.show(form)
    shots.until(lambda: form.call is None, what="the form")
    shots.take("training-new")


def _take_run(shots: Shots, run: RunScene, trainer: FakeTrainer) -> None:
    def told() -> bool:
        trainer.publish("pool", made_up_pool(random.Random(3), step=0))
        return bool(run.link.pools.of) and bool(run.link.curves.of("kl"))

    shots.until(told, what="the trainer's news")
    for place in range(1, LINES + 1, 10):
        trainer.publish("pool", made_up_pool(random.Random(place), step=place * BATCH))
    for _ in range(10):  # a chart a frame
        shots.engine.frame(shots.engine.clock())
    shots.take("training-curves")
    for page in run.pages[1:]:
        run.turn_to(page)
        if page.title == "Watch":
            shots.until(lambda: bool(trainer.named("watch")), what="the wish to watch")
            trainer.publish("watch", made_up_moves())
            shots.until(lambda: _ticks(run.page) > 100, what="a game that is watched")
        shots.take(f"training-{page.title.lower()}")


def made_up_metrics(dice: random.Random) -> list[dict[str, float]]:
    """As of a run that goes well."""
    lines = []
    for place in range(LINES):
        known = 1 - math.exp(-place / 120)
        lines.append({
            "step": place * BATCH, "win_rate": 0.25 + 0.65 * known + dice.uniform(-0.04, 0.04),
            "score": 5 * known - 2 + dice.gauss(0, 0.2), "steps_per_second": 52_000 + dice.gauss(0, 1500),
            "entropy": 1.7 - known + dice.gauss(0, 0.02), "kl": abs(dice.gauss(0.012, 0.004)),
            "policy_loss": dice.gauss(-0.02, 0.005), "vf_loss": 0.5 * (1 - known) + abs(dice.gauss(0, 0.03)),
        })  # fmt: skip
    return lines


def made_up_pool(dice: random.Random, *, step: int) -> dict[str, Any]:
    """Twenty snapshots, older ones weaker, and the scripted player, as they stand at `step`."""
    members: list[dict[str, Any]] = [{"name": "scripted", "kind": "scripted", "games": 0}]
    for place in range(20):
        rate = min(0.97, 0.95 - 0.02 * place - 0.3 * (1 - step / LINES / BATCH) + dice.uniform(-0.03, 0.03))
        members.append({
            "name": f"volley-{place:04}", "kind": "snapshot", "games": 300 - 10 * place, "win_rate": rate,
            "low": rate - 0.05, "high": min(1.0, rate + 0.05), "rating": 15.0 + place, "sigma": 1.1, "weight": 0.05,
            "frozen_at": place * 20 * BATCH,
        })  # fmt: skip
    return {"game": "house/volley", "step": step, "policies": {"default_policy": members}}


def made_up_moves() -> dict[str, Any]:
    """A game in which both walk and jump about."""
    ticks = [{"left_0": tick // 9 % 6, "right_0": tick // 7 % 6} for tick in range(400)]
    lineup = {"left_0": "main", "right_0": "volley-0019"}
    return {"episode": 812, "seed": 11, "first": True, "ticks": ticks, "over": False, "lineup": lineup}


def _ticks(page: Any) -> int:
    return page.spectator.tick if page.spectator is not None else 0
