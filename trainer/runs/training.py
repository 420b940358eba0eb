"""The training loop of a run: train, freeze, publish, checkpoint."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.ladder.ladder import LadderError
from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from agents.wire.trainer_events import Matchmaking, Metrics, PoolTable, SnapshotFrozen, WatchPiece, WinRates
from arcade.games.spec import GameSpec
from trainer.algorithms.make import make_algorithm
from trainer.config import ConfigError, RunConfig
from trainer.league.export import ExportError
from trainer.league.freezing import load_weights
from trainer.league.initial_snapshot import find_start, goes_on_from
from trainer.league.league import RESET_CHANCE
from trainer.league.lineage import Lineage
from trainer.league.opponents import OpponentPools
from trainer.league.placement import Placement
from trainer.league.reference_policy import FadingKlPenalty, networks_of
from trainer.league.resetting import FirstWeights, reset_policy
from trainer.league.yardstick import Yardstick
from trainer.runs.checkpoint import CheckpointFolder, RunState, read_standing, read_state, restore_algorithm
from trainer.runs.control import RunControl, TrainerServer
from trainer.runs.progress import Progress
from trainer.runs.run_folder import RunFolder
from trainer.sampling.casting import EpisodeResult
from trainer.sampling.plan import MAIN
from trainer.sampling.runner import SelfPlayRunner

CHECKED_ROWS = 64
LEARNER_METRICS = {
    "entropy": "entropy", "kl": "mean_kl_loss", "policy_loss": "policy_loss", "vf_loss": "vf_loss",
    "vf_explained_var": "vf_explained_var", "qf_loss": "qf_loss", "q_mean": "qf_mean", "alpha": "alpha_value",
    "kl_penalty": "kl_penalty_coefficient", "reference_kl": "reference_kl",
}  # fmt: skip
"""Our names of learner metrics to RLlib's."""

SECONDS_BETWEEN_EVENTS = 1.0
PIECE_SECONDS = 0.2
"""For matches of yardstick and ladder after each iteration, so that requests need not wait for them."""


class TrainingRun:
    """Needs an initialised ray.

    `resume` starts from the newest checkpoint in the run's folder, or with `from_best` from the best.
    """

    def __init__(
        self, config: RunConfig, spec: GameSpec, *, folder: Path, store: SnapshotStore, control: RunControl,
        server: TrainerServer, progress: Progress, placement: Placement, command: str = "", resume: bool = False,
        from_best: bool = False,
    ) -> None:  # fmt: skip
        self.config, self.spec, self.store = config, spec, store
        self.control, self.server, self.progress, self.placement = control, server, progress, placement
        self.run_id = folder.name
        self.step, self.base_step, self.episodes, self.iteration, self.next_evaluation = 0, 0, 0, 0, 0
        self.checkpoints, self.standing = _make_checkpoints(config, folder), RunState(config.checkpoints.best_by)
        found = None
        if resume:
            found = _find_best(self.checkpoints, self.standing) if from_best else self.checkpoints.newest()
        self.algorithm: Any = make_algorithm(config, spec)  # RLlib annotates its groups as optional
        self.runner: SelfPlayRunner = self.algorithm.env_runner
        self.lineages = self._make_lineages()
        batch, plan = self.runner.batch, self.runner.plan
        self.opponent_pools = OpponentPools(
            config, spec, plan, batch, lineages=self.lineages, store=store, say=progress.say
        )
        self.yardstick = Yardstick(config.evaluation, spec, plan, store, seed=config.seed, say=progress.say)
        self.first_weights = FirstWeights(folder)
        self.kl_penalty = FadingKlPenalty(config, folder)
        self.journal = RunFolder(folder, config)
        self.newest: dict[str, Any] = {}  # metrics of the last iteration
        self._published = self._checkpointed = time.monotonic()
        self._watched = False
        self._begin(found)
        control.check_matchmaking = self.opponent_pools.check
        self.journal.manifest.begin(command, [])

    def run(self) -> None:
        """Train until `steps` are done or a stop is requested; a checkpoint is written at the end."""
        self.progress.begin_at = self.base_step
        self.journal.publish_endpoints(self.server.endpoints)
        self._publish_status("running")
        for lineage in self.lineages:
            if self.config.freeze.at_start and not lineage.names and not self.control.stop:
                self._freeze(lineage, "start")
        self._with_ladder(lambda: self.opponent_pools.rate(self.placement.ladder))
        while not self.control.stop and not self._done():
            self._take_requests()
            if not self.control.stop and not self.control.paused:
                self._iterate()
        while self.placement.pending and not self.control.stop:
            self._with_ladder(lambda: self.placement.work(PIECE_SECONDS))
        self.save_checkpoint()
        self._publish_status("stopped")

    def close(self) -> None:
        """Free the games and ray's part; twice does no harm."""
        self.placement.close()
        self.yardstick.close()
        self.journal.manifest.end({"step": self.step, "snapshots": self.frozen})
        self.journal.close()
        self.algorithm.stop()

    def save_checkpoint(self) -> Path:
        """Write everything that the run needs to resume, whole or not at all."""
        self._checkpointed = time.monotonic()
        path = self.checkpoints.save(self.algorithm, self._state(), standing=self.standing.take(self.step))
        self.journal.manifest.note(self._results())
        return path

    @property
    def frozen(self) -> int:
        """Number of snapshots that the run made."""
        return sum(lineage.frozen for lineage in self.lineages)

    def _make_lineages(self) -> list[Lineage]:
        policies = [policy for policy in self.runner.plan.policies if policy.id in self.runner.plan.trained]
        return [
            Lineage(
                policy, self.config, self.spec, run_id=self.run_id, store=self.store,
                alone=len(self.runner.plan.policies) == 1,
            )
            for policy in policies
        ]  # fmt: skip

    def _begin(self, checkpoint: Path | None) -> None:
        if checkpoint is not None:
            restore_algorithm(checkpoint, self.algorithm)
            self._take_state(read_state(checkpoint))
            self.journal.trim(self.step)
        elif self.config.start_from:
            self._start_from(find_start(self.store, self.config.start_from, self.spec.id))
        self._begin_kl_penalty()
        if self.config.opponents.league:
            self.first_weights.keep({id: self.runner.module[id].get_state() for id in RESET_CHANCE})

    def _start_from(self, parent: Snapshot) -> None:
        """Start every policy that the snapshot fits from its weights."""
        for lineage in self.lineages:
            if not goes_on_from(lineage.policy, parent.card):
                continue
            self._set_weights(lineage, parent)
            lineage.start_from(parent)
            if self.config.opponents.league and lineage.policy.id != MAIN:
                continue  # earlier snapshots are main's past
            inherit = self.config.opponents.inherit
            cards = [c for c in self.store.list(self.spec.id) if c.agents == parent.card.agents]
            names = [card.name for card in cards][-inherit:] if inherit else []
            self._join(lineage, list(dict.fromkeys([*names, parent.card.name])))
        self.step = self.base_step = self.next_evaluation = parent.card.step

    def _begin_kl_penalty(self) -> None:
        """Keep the policies that started from the snapshot near it, for as long as the settings say."""
        if not self.kl_penalty.wanted(steps=self.step - self.base_step):
            return
        clone = self.kl_penalty.snapshot(lambda: find_start(self.store, self.config.start_from, self.spec.id))
        ids = [lineage.policy.id for lineage in self.lineages if goes_on_from(lineage.policy, clone.card)]
        networks = networks_of(clone, {id: self.runner.network(id) for id in ids})
        self.kl_penalty.begin(self.algorithm.env_runner_group, networks)

    def _set_weights(self, lineage: Lineage, parent: Snapshot) -> None:
        """Load the snapshot into the learners, and from there into the runners."""
        id = lineage.policy.id
        load_weights(self.runner.network(id), parent)
        state = {id: self.runner.module[id].get_state()}
        self.algorithm.learner_group.set_state({"learner": {"rl_module": state}})
        self.algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=self.algorithm.learner_group)

    def _join(self, lineage: Lineage, names: list[str]) -> None:
        """Add snapshots of the store to the opponents of the episodes that begin from now on."""
        lineage.names += [name for name in names if name not in lineage.names]
        self.opponent_pools.join(lineage.policy.id, names)

    def _take_requests(self) -> None:
        """Carry out the requests since the last iteration; wait while paused."""
        if self.control.paused and not self.control.stop:
            self._publish_status("paused")
            self.control.wait_while_paused()
        for _ in range(self.control.take_freezes()):
            for lineage in self.lineages:
                self._freeze(lineage, "asked for")
        if changes := self.control.take_matchmaking():
            self.opponent_pools.change(changes)
            self._publish_status(self.control.status.state)
        if not self.control.paused and self.control.status.state == "paused":
            self._publish_status("running")

    def _iterate(self) -> None:
        started = time.monotonic()
        self._turn_watch()
        self.opponent_pools.hand_out(self.algorithm.env_runner_group, step=self.step)
        self.kl_penalty.tend(self.algorithm.env_runner_group, steps=self.step - self.base_step)
        result = self.algorithm.train()
        self.iteration += 1
        played: list[EpisodeResult] = []
        for results, watched in self.algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.pop_news()):
            played += results
            for piece in watched:
                self.server.publish(WatchPiece(**self._source, **piece))
        self.step += _steps_of(result)
        self.episodes += sum(not result.again for result in played)
        self.opponent_pools.count(played)
        metrics = self._metrics(result, played, time.monotonic() - started)
        for lineage in self.lineages:
            reason = lineage.due(self.step)
            if reason:
                self._freeze(lineage, reason)
        metrics |= self._measure()
        self._with_ladder(lambda: self.placement.work(PIECE_SECONDS))
        self.newest = metrics
        self.standing.add(metrics)
        self.journal.write(metrics)
        self._show(metrics)
        if time.monotonic() - self._checkpointed >= self.config.checkpoints.seconds:
            self.save_checkpoint()

    def _turn_watch(self) -> None:
        on = self.control.watched
        if on != self._watched:
            self._watched = on
            self.algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.turn_watch(on))

    def _freeze(self, lineage: Lineage, reason: str) -> None:
        """Freeze a learning policy, publish the snapshot, and add it to its pool."""
        began, id = time.time(), lineage.policy.id
        try:
            snapshot = lineage.freeze(
                self.runner.network(id), step=self.step, note=self._note(lineage, reason),
                seen=self.runner.recent_observations(id, CHECKED_ROWS),
            )  # fmt: skip
        except (ExportError, SnapshotError, OSError) as error:
            self.progress.say(f"{id} not frozen at step {self.step:,}: {error}")
            return
        name = snapshot.card.name
        self.server.publish(SnapshotFrozen(**self._source, name=name, step=self.step, began=began, policy=id))
        self._join(lineage, [name])
        if reason != "start" and self.opponent_pools.matchmaker.begins_again(id):
            reset_policy(self.algorithm, id, self.first_weights.of(id))
            lineage.begin_again()
        self.journal.manifest.add_snapshot(snapshot)
        self.progress.say(f"frozen {name} at step {self.step:,} ({reason})")
        if not self.control.stop:
            lineups = self.opponent_pools.lineups(id, name)
            self._with_ladder(lambda: self.placement.place(snapshot, *lineups, self.store))
        self.save_checkpoint()

    def _with_ladder(self, call: Callable[[], None]) -> None:
        """Call, and continue without the ladder where it cannot be read or written any more."""
        try:
            call()
        except LadderError as error:
            self.placement.give_up()
            self.progress.say(f"the run goes on without the ladder: {error}")

    def _note(self, lineage: Lineage, reason: str) -> str:
        recent = lineage.pool.recent()
        note = f"Frozen by {reason} at step {self.step:,} of run {self.run_id} (seed {self.config.seed})"
        return note + (f"; won {recent.win_rate:.0%} of {recent.games} games against its pool" if recent.games else "")

    def _measure(self) -> dict[str, float]:
        """Start the yardstick when it is due; returns its metrics once it has them."""
        evaluation = self.config.evaluation
        if evaluation.steps and self.step >= self.next_evaluation:
            self.next_evaluation = self.step + evaluation.steps
            self.yardstick.begin(self.runner.network)
        return self.yardstick.work(PIECE_SECONDS)

    def _metrics(self, result: dict[str, Any], played: list[EpisodeResult], seconds: float) -> dict[str, Any]:
        metrics: dict[str, Any] = {
            "step": self.step, "iteration": self.iteration, "episodes": self.episodes, "snapshots": self.frozen,
            "steps_per_second": _steps_of(result) / max(seconds, 1e-9),
        }  # fmt: skip
        if lengths := [result.ticks for result in played if not result.again]:
            metrics["episode_ticks"] = sum(lengths) / len(lengths)
        for lineage in self.lineages:
            own = self._metrics_of(lineage, result, [e for e in played if e.policy == lineage.policy.id])
            suffix = "" if len(self.lineages) == 1 else f"/{lineage.policy.id}"
            metrics |= {f"{name}{suffix}": value for name, value in own.items()}
        return metrics

    def _metrics_of(self, lineage: Lineage, result: dict[str, Any], played: list[EpisodeResult]) -> dict[str, float]:
        """The metrics of one policy; its score is over the episodes that were not against itself, if there are any.

        RLlib has no number for what was logged before and is no more.
        """
        recent = lineage.pool.recent()
        metrics = {"win_rate": recent.win_rate} if recent.games else {}
        scored = [e for e in played if e.opponent] or played
        if scored:
            metrics["score"] = sum(e.score for e in scored) / len(scored)
        learner = result.get("learners", {}).get(lineage.policy.id, {})
        figures = {name: float(learner[key]) for name, key in LEARNER_METRICS.items() if key in learner}
        return metrics | {name: figure for name, figure in figures.items() if not math.isnan(figure)}

    def _results(self) -> dict[str, Any]:
        """Results for the manifest."""
        best = self.checkpoints.best()
        results = {"step": self.step, "last": self.newest, "win_rates": self._win_rates()}
        return results | ({"best": read_standing(best) | {"checkpoint": best.name}} if best else {})

    def _win_rates(self) -> dict[str, float]:
        return {name: rate for lineage in self.lineages for name, rate in lineage.pool.win_rates().items()}

    def _show(self, metrics: dict[str, Any]) -> None:
        self.control.set_status(step=self.step, iteration=self.iteration, snapshots=self.frozen)
        self.progress.show(metrics, self.opponent_pools.table, state=self.control.status.state)
        if time.monotonic() - self._published >= SECONDS_BETWEEN_EVENTS:
            self._published = time.monotonic()
            self._with_ladder(lambda: self.opponent_pools.rate(self.placement.ladder))
            newest = dict(list(self._win_rates().items())[-256:])
            self.server.publish(PoolTable(**self._source, step=self.step, policies=self.opponent_pools.table()))
            self.server.publish(Metrics(**self._source, **metrics))
            self.server.publish(WinRates(**self._source, step=self.step, win_rate=self._win_rate(), rates=newest))

    def _publish_status(self, state: str) -> None:
        self.control.set_status(
            **self._source, state=state, step=self.step, algorithm=self.config.algorithm,
            policies=tuple(policy.id for policy in self.runner.plan.policies),
            matchmaking=Matchmaking(**self.opponent_pools.status()), events=self.server.endpoints["events"],
        )  # fmt: skip
        self.server.publish(self.control.status)

    @property
    def _source(self) -> dict[str, str]:
        """Fields that every event has."""
        return {"run": self.run_id, "game": self.spec.id}

    def _done(self) -> bool:
        return bool(self.config.steps) and self.step - self.base_step >= self.config.steps

    def _win_rate(self) -> float | None:
        """Against the pools since the last freezes, the mean over policies that had games; None without any."""
        rates = [recent.win_rate for lineage in self.lineages if (recent := lineage.pool.recent()).games]
        return sum(rates) / len(rates) if rates else None

    def _state(self) -> dict[str, Any]:
        return {
            "step": self.step, "base_step": self.base_step, "episodes": self.episodes, "iteration": self.iteration,
            "next_evaluation": self.next_evaluation,
            "matchmaking": self.opponent_pools.as_data(),
            "lineages": {lineage.policy.id: lineage.as_data() for lineage in self.lineages},
        }  # fmt: skip

    def _take_state(self, state: dict[str, Any]) -> None:
        for name in ("step", "base_step", "episodes", "iteration", "next_evaluation"):
            setattr(self, name, state[name])
        for lineage in self.lineages:
            lineage.take(state["lineages"][lineage.policy.id])
        self.opponent_pools.take(state["matchmaking"])
        for lineage in self.lineages:  # a kill may have come between a freeze and its checkpoint
            late = [name for name in lineage.own(self.run_id) if name not in lineage.names]
            self._join(lineage, late)
            for name in late:
                self.journal.manifest.add_snapshot(self.store.get(name, game=self.spec.id))


def _make_checkpoints(config: RunConfig, folder: Path) -> CheckpointFolder:
    keep = config.checkpoints
    return CheckpointFolder(folder / "checkpoints", keep_last=keep.keep_last, keep_best=keep.keep_best)


def _find_best(checkpoints: CheckpointFolder, standing: RunState) -> Path:
    best = checkpoints.best()
    if best is None:
        raise ConfigError(f"expected a checkpoint whose {standing.metric} is known with --from-best, got none")
    return best


def _steps_of(result: dict[str, Any]) -> int:
    return int(result["env_runners"]["num_env_steps_sampled"])
