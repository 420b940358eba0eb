"""Small trainings in this process."""

from __future__ import annotations

from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import Turn
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from trainer.config.reading import make_config, with_sizes
from trainer.league.placement import Placement
from trainer.runs.control import RunControl, TrainerServer
from trainer.runs.progress import Progress
from trainer.runs.resolve import apply_kwargs
from trainer.runs.training import TrainingRun

VOLLEY = {"resources": {"games": 8}, "training": {"batch": 512, "minibatch": 256}}


def make_run(game, settings, home, *, name="test", ladder=None, **more):
    spec = find_game(game)
    config = make_config(with_sizes(settings, spec) | {"game": spec.id})
    spec = apply_kwargs(config, spec)
    control = RunControl()
    server = more.pop("server", None) or TrainerServer(control)
    store = SnapshotStore(home / "snapshots")
    return TrainingRun(
        config, spec, folder=home / "runs" / name, store=store, control=control, server=server,
        progress=Progress("test"), placement=Placement(spec, ladder, games=2), **more,
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
            stage.step({agent: seats[agent].act() for agent in tick.acting})
