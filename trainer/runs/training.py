"""One training run from its first step to its last: train, freeze, publish, checkpoint, and again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from agents.snapshot import Snapshot, SnapshotError, SnapshotStore
from arcade.games.spec import GameSpec
from trainer.algorithms.ppo import make_algorithm
from trainer.config import RunConfig
from trainer.league.export import ExportError
from trainer.league.freezing import Freezer, FreezeRules, find_start, load_weights, snapshot_name
from trainer.league.placement import Placement
from trainer.league.pool import Pool
from trainer.league.yardstick import Yardstick
from trainer.networks.seat import check_spaces
from trainer.runs.checkpoint import CheckpointFolder, read_state, restore_algorithm
from trainer.runs.control import Orders, Station
from trainer.runs.journal import Journal
from trainer.runs.progress import Progress
from trainer.sampling.results import EpisodeResult

CHECKED_ROWS = 64
SECONDS_BETWEEN_EVENTS = 1.0
PIECE_SECONDS = 0.2
"""Of the matches for yardstick and ladder, after each iteration: orders do not wait for them."""


class TrainingRun:
    """Needs an initialised ray.  `resume` goes on from the newest checkpoint in the run's folder, if there is one."""

    def __init__(
        self, config: RunConfig, spec: GameSpec, *, folder: Path, store: SnapshotStore, orders: Orders,
        station: Station, progress: Progress, placement: Placement, command: str = "", resume: bool = False,
    ) -> None:  # fmt: skip
        self.config, self.spec, self.store = config, spec, store
        self.orders, self.station, self.progress, self.placement = orders, station, progress, placement
        self.run_id = folder.name
        self.step, self.base_step, self.frozen, self.episodes, self.iteration = 0, 0, 0, 0, 0
        self.parent, self.next_evaluation = "", 0
        self.yardstick = Yardstick(spec, seed=config.seed)
        self.pool, self.rules = Pool(), FreezeRules(config.freeze)
        self.checkpoints = CheckpointFolder(folder / "checkpoints")
        found = self.checkpoints.newest() if resume else None
        self.algorithm = _make_algorithm(config, spec)
        self.runner = self.algorithm.env_runner
        self.freezer = Freezer(store, self.runner.batch, run=self.run_id, algorithm=config.algorithm)
        self.journal = Journal(folder, config)
        self._told = self._checkpointed = time.monotonic()
        self._begin(found)
        self.journal.begin(command, self._notices())

    def run(self) -> None:
        """Until `steps` are done or a stop is asked for; a checkpoint is written at the end."""
        self.journal.publish_endpoints(self.station.endpoints)
        self._tell("running")
        if self.config.freeze.at_start and not self.pool.names and not self.orders.stop:
            self._freeze("start")
        while not self.orders.stop and not self._done():
            self._obey()
            if not self.orders.stop and not self.orders.paused:
                self._iterate()
        while self.placement.pending and not self.orders.stop:
            self.placement.work(PIECE_SECONDS)
        self.save_checkpoint()
        self._tell("stopped")

    def close(self) -> None:
        """Free the games and ray's part; twice does no harm."""
        self.placement.close()
        self.yardstick.close()
        self.journal.end({"step": self.step, "snapshots": self.frozen})
        self.journal.close()
        self.algorithm.stop()

    def save_checkpoint(self) -> Path:
        """Everything that the run needs to go on, whole or not at all."""
        self._checkpointed = time.monotonic()
        return self.checkpoints.save(self.algorithm, self._state())

    def _begin(self, checkpoint: Path | None) -> None:
        if checkpoint is not None:
            restore_algorithm(checkpoint, self.algorithm)
            self._take_state(read_state(checkpoint))
            self.journal.trim(self.step)
        elif self.config.start_from:
            self._start_from(find_start(self.store, self.config.start_from, self.spec.id))

    def _start_from(self, parent: Snapshot) -> None:
        learner = self.algorithm.learner_group._learner
        load_weights(learner.module["default_policy"].network, parent)
        load_weights(self.runner.module.network, parent)
        self.parent, self.base_step = parent.card.name, parent.card.step
        self.step = self.rules.last_step = self.next_evaluation = self.base_step
        names = [card.name for card in self.store.list(self.spec.id)][-self.config.opponents.inherit or None :]
        self._join(
            [n for n in dict.fromkeys([*names, self.parent]) if self.config.opponents.inherit or n == self.parent]
        )

    def _join(self, names: list[str]) -> None:
        """Snapshots of the store become opponents of the episodes that begin from now on."""
        snapshots = [self.store.get(name, game=self.spec.id) for name in names]
        self.algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.add_opponents(snapshots))
        for name in names:
            self.pool.add(name)

    def _obey(self) -> None:
        """Do what was asked for since the last iteration; wait while paused."""
        if self.orders.paused and not self.orders.stop:
            self._tell("paused")
            self.orders.wait_while_paused()
        for _ in range(self.orders.take_freezes()):
            self._freeze("asked for")
        if not self.orders.paused and self.orders.status["state"] == "paused":
            self._tell("running")

    def _iterate(self) -> None:
        started = time.monotonic()
        result = self.algorithm.train()
        self.iteration += 1
        played: list[EpisodeResult] = []
        for results in self.algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.take_results()):
            played += results
        self.step += _steps_of(result)
        self.episodes += len(played)
        self.pool.count(played)
        metrics = self._metrics(result, played, time.monotonic() - started)
        reason = self.rules.due(self.step, self.pool)
        if reason:
            self._freeze(reason)
        metrics |= self._measure()
        self.placement.work(PIECE_SECONDS)
        self.journal.write(metrics)
        self._show(metrics)
        if time.monotonic() - self._checkpointed >= self.config.checkpoint_seconds:
            self.save_checkpoint()

    def _freeze(self, reason: str) -> None:
        """The learning policy becomes a snapshot, is published, and joins the pool."""
        began, self.rules.last_step = time.time(), self.step
        try:
            snapshot = self._save_snapshot(reason)
        except (ExportError, SnapshotError, OSError) as error:
            self.progress.say(f"not frozen at step {self.step:,}: {error}")
            return
        name = snapshot.card.name
        data = {"name": name, "game": self.spec.id, "step": self.step, "run": self.run_id, "began": began}
        self.station.publish("snapshot_frozen", data)
        self.parent = name
        self._join([name])
        self.frozen += 1
        self.progress.say(f"frozen {name} at step {self.step:,} ({reason})")
        if not self.orders.stop:
            self.placement.place(snapshot, self.pool.names, self.store)
        self.save_checkpoint()

    def _save_snapshot(self, reason: str) -> Snapshot:
        observations, masks = self.runner.recent_observations(CHECKED_ROWS)
        recent = self.pool.recent()
        note = f"Frozen by {reason} at step {self.step:,} of run {self.run_id} (seed {self.config.seed})"
        note += f"; won {recent.win_rate:.0%} of {recent.games} games against its pool" if recent.games else ""
        return self.freezer.freeze(
            self.runner.module.network, name=self._free_name(), step=self.step, parent=self.parent, note=note,
            observations=observations, masks=masks,
        )  # fmt: skip

    def _free_name(self) -> str:
        """The run's next name that no snapshot has: a kill may have come between a freeze and its checkpoint."""
        taken = {card.name for card in self.store.list(self.spec.id)} | set(self.store.refused)
        while (name := snapshot_name(self.run_id, self.frozen)) in taken:
            self.frozen += 1
        return name

    def _measure(self) -> dict[str, float]:
        """The yardstick, begun when it is due; its figure once it has one."""
        if self.config.evaluate_steps and self.step >= self.next_evaluation:
            self.next_evaluation = self.step + self.config.evaluate_steps
            self.yardstick.begin(self.runner.module.network, self.runner.module.action_space)
        return self.yardstick.work(PIECE_SECONDS)

    def _metrics(self, result: dict[str, Any], played: list[EpisodeResult], seconds: float) -> dict[str, Any]:
        learner = result.get("learners", {}).get("default_policy", {})
        metrics: dict[str, Any] = {
            "step": self.step, "iteration": self.iteration, "episodes": self.episodes, "snapshots": self.frozen,
            "steps_per_second": _steps_of(result) / max(seconds, 1e-9),
            "win_rate": self.pool.recent().win_rate,
        }  # fmt: skip
        if played:
            metrics["episode_ticks"] = sum(e.ticks for e in played) / len(played)
            metrics["score"] = sum(e.score for e in played if e.opponent) / max(
                1, sum(bool(e.opponent) for e in played)
            )
        for name in ("entropy", "policy_loss", "vf_loss", "vf_explained_var"):
            if name in learner:
                metrics[name] = float(learner[name])
        return metrics

    def _show(self, metrics: dict[str, Any]) -> None:
        rates = self.pool.win_rates()
        self.orders.tell(step=self.step, iteration=self.iteration, snapshots=self.frozen)
        self.progress.show(metrics, rates, state=self.orders.status["state"])
        if time.monotonic() - self._told >= SECONDS_BETWEEN_EVENTS:
            self._told = time.monotonic()
            self.station.publish("metrics", metrics | {"run": self.run_id, "game": self.spec.id})
            newest = dict(list(rates.items())[-256:])
            self.station.publish(
                "win_rates", {"game": self.spec.id, "step": self.step, "win_rate": metrics["win_rate"], "rates": newest}
            )

    def _tell(self, state: str) -> None:
        self.orders.tell(state=state, step=self.step, run=self.run_id, game=self.spec.id)
        self.station.publish("status", dict(self.orders.status))

    def _done(self) -> bool:
        return bool(self.config.steps) and self.step - self.base_step >= self.config.steps

    def _notices(self) -> list[str]:
        batch = self.runner.batch
        strangers = [str(a) for a, fits in zip(batch.agents, batch.learnable, strict=True) if not fits]
        if not strangers:
            return []
        notice = f"{', '.join(strangers)} play at random: their spaces are not those of {batch.agents[0]}"
        self.progress.say(notice)
        return [notice]

    def _state(self) -> dict[str, Any]:
        return {
            "step": self.step, "base_step": self.base_step, "frozen": self.frozen, "episodes": self.episodes,
            "iteration": self.iteration, "parent": self.parent, "next_evaluation": self.next_evaluation,
            "last_freeze": self.rules.last_step, "pool": self.pool.as_data(),
        }  # fmt: skip

    def _take_state(self, state: dict[str, Any]) -> None:
        for name in ("step", "base_step", "frozen", "episodes", "iteration", "parent", "next_evaluation"):
            setattr(self, name, state[name])
        self.rules.last_step = state["last_freeze"]
        pool = Pool.from_data(state["pool"])
        late = [c.name for c in self.store.list(self.spec.id) if c.run == self.run_id and c.name not in pool.names]
        self._join([*pool.names, *late])
        self.pool = Pool(self.pool.names, pool.records, pool.since_freeze)


def _make_algorithm(config: RunConfig, spec: GameSpec) -> Any:
    from trainer.games.make import make_batch

    probe = make_batch(spec, 1)
    observation_space, action_space = probe.spaces[probe.agents[0]]
    probe.close()
    check_spaces(observation_space, action_space)
    return make_algorithm(config, spec, observation_space, action_space)


def _steps_of(result: dict[str, Any]) -> int:
    return int(result["env_runners"]["num_env_steps_sampled"])
