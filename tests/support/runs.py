"""Small trainings in this process."""

from __future__ import annotations

import time

from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import Turn
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from trainer.config.reading import make_config, with_sizes
from trainer.runs.checks import apply_kwargs
from trainer.runs.control import TrainerServer
from trainer.runs.progress import Progress
from trainer.runs.training import TrainingRun

VOLLEY = {"resources": {"games": 8}, "training": {"batch": 512, "minibatch": 256}}


def make_run(game, settings, home, *, name="test", ladder=None, **more):
    spec = find_game(game)
    freeze = {"placement_games": 2} | settings.get("freeze", {})
    config = make_config(with_sizes(settings, spec) | {"game": spec.id, "freeze": freeze})
    store = SnapshotStore(home / "snapshots")
    return TrainingRun(
        config, apply_kwargs(config, spec), folder=home / "runs" / name, store=store, ladder=ladder,
        server=more.pop("server", None) or TrainerServer(), progress=Progress("test"), **more,
    )  # fmt: skip


def finish(run):
    try:
        run.run()
    finally:
        close(run)


def close(run):
    run.close()
    run.server.close()


def play(spec, store, run):
    """A few ticks with each policy's newest snapshot in its seats."""
    stem = "test" if len(run.lineages) == 1 else "test-{}"
    with LocalStage(spec) as stage:
        seats = {}
        for lineage in run.lineages:
            assert store.get(lineage.parent).card.name.startswith(stem.format(lineage.policy.id))
            for agent in lineage.policy.agents:
                seats[agent] = SnapshotController(store.get(lineage.parent))
                seats[agent].reset(stage.seat(agent), seed=1)
        stage.reset(1)
        for _ in range(6):
            tick = stage.wait()
            if tick.over:
                break
            for agent in tick.acting:
                seats[agent].observe(Turn(agent, tick.index, tick.observations[agent], tick.action_masks.get(agent)))
            stage.step({agent: decided(seats[agent]) for agent in tick.acting})


def decided(seat):
    """The action of a seat, which a slow machine has decided by a thread."""
    deadline = time.monotonic() + 60
    while (action := seat.act()) is None:
        assert time.monotonic() < deadline, "expected an action within a minute"
        time.sleep(0.001)
    return action
