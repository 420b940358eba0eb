"""The training loop of a run: train, freeze, publish, checkpoint."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from agents.closing import Closing
from agents.ladder.ladder import Ladder, LadderError
from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.placement import Placement
from trainer.algorithms.make import make_algorithm
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.league.export import ExportError, load_weights
from trainer.league.lineage import Lineage
from trainer.league.opponent_shares import RESET_CHANCE
from trainer.league.opponents import OpponentPools
from trainer.league.yardstick import Yardstick
from trainer.runs.checkpoint import (
    CheckpointFolder,
    first_sound,
    not_kept,
    read_generators,
    read_state,
    restore_algorithm,
)
from trainer.runs.control import RunPublisher, TrainerServer, learning_metrics, win_rates
from trainer.runs.first_weights import keep_first_weights, load_first_weights, reset_policy, set_state
from trainer.runs.full_disk import when_there_is_room
from trainer.runs.measuring import PIECE_SECONDS, Measuring
from trainer.runs.progress import Progress
from trainer.runs.reference import References
from trainer.runs.run_folder import RunFolder
from trainer.runs.stopping import CutOffError, Iteration, without_end
from trainer.sampling.plan import MAIN
from trainer.sampling.runner import SelfPlayRunner
from trainer.sampling.runner_group import RunnerGroup

T = TypeVar("T")
CHECKED_ROWS = 64
COUNTERS = ("step", "base_step", "episodes", "iteration", "seconds")


class TrainingRun(Closing):
    """Needs an initialised ray.

    `resume` starts from the newest checkpoint in the run's folder, or with `from_best` from the best; damaged ones are
    passed over.  With `trust_checkpoint` it need not be signed by this machine.
    """

    def __init__(
        self, config: RunConfig, spec: GameSpec, *, folder: Path, store: SnapshotStore, ladder: Ladder | None,
        server: TrainerServer, progress: Progress, command: str = "", resume: bool = False, from_best: bool = False,
        trust_checkpoint: bool = False,
    ) -> None:  # fmt: skip
        self.config, self.spec, self.store = config, spec, store
        self.server, self.progress = server, progress
        self.placement = Placement(spec, ladder, store, games=config.freeze.placement_games)
        self.run_id, keep = folder.name, config.checkpoints
        self.step, self.base_step, self.episodes, self.iteration, self.seconds = 0, 0, 0, 0, 0.0
        self.checkpoints = CheckpointFolder(
            folder / "checkpoints", keep_last=keep.keep_last, keep_best=keep.keep_best, metric=config.best_by,
            stopped=lambda: server.stop,
        )  # fmt: skip
        checkpoint = self._find_checkpoint(from_best, trust_checkpoint) if resume else None
        self.algorithm: Any = make_algorithm(config, spec)  # RLlib annotates its groups as optional
        self.runner: SelfPlayRunner = self.algorithm.env_runner
        self.runners = RunnerGroup(self.algorithm, waits=not ALGORITHMS[config.algorithm].asynchronous)
        self.lineages, self.references = self._make_lineages(), References(config, self.algorithm)
        batch, plan = self.runner.batch, self.runner.plan
        self.opponent_pools = OpponentPools(
            config, spec, plan, batch, lineages=self.lineages, store=store, say=progress.say
        )
        self.yardstick = Yardstick(
            config.evaluation, spec, plan, store, seed=config.seed, say=progress.say, rules=config.wrappers
        )
        self.measuring = Measuring(
            config.evaluation, self.yardstick, self.checkpoints,
            save=lambda: self.save_checkpoint(waits=False), write=self._with_room,
        )  # fmt: skip
        self.folder = RunFolder(folder, config)
        self.newest: dict[str, Any] = {}  # metrics of the last iteration
        self.publisher = RunPublisher(server, self.opponent_pools, self.lineages, run=self.run_id, game=spec.id)
        self._checkpointed = self._began = time.monotonic()
        self._saved, self._newest = "", Path()  # the state in this session's newest checkpoint, as JSON, and that
        self._begin(checkpoint)
        self.server.config = self.opponent_pools.matchmaker.run
        was_measuring = self.measuring.next_at == self.step
        self.folder.begin_session(command, lost=not_kept(config, was_measuring) if checkpoint else ())

    def run(self, iteration: Iteration = without_end) -> None:
        """Train until steps or time are over or a stop is requested; a checkpoint is written at the end.

        Each iteration of the algorithm runs inside an `iteration`, which may raise CutOffError.
        """
        self.progress.begin(self.base_step)
        self._began = time.monotonic()
        self.folder.publish_endpoints(self.server.endpoints)
        self._publish_status("running")
        if self.config.freeze.at_start:
            self._freeze_and_save("start", (one for one in self.lineages if not one.names and not self.server.stop))
        self._with_ladder(lambda: self.opponent_pools.rate(self.placement.ladder))
        while not self.server.stop and not self._is_done:
            self._handle_requests()
            if not self.server.stop and not self.server.paused:
                try:
                    self._iterate(iteration)
                except CutOffError:
                    self.progress.say("the iteration took too long to be waited for; it is not counted")
        for lineage in self.lineages if self.config.freeze.at_end else ():
            if self.step > lineage.last_freeze:
                self._freeze(lineage, "end")
        while self.placement.pending and not self.server.stop:
            self._with_ladder(lambda: self.placement.work(PIECE_SECONDS))
        if self.newest and (figures := self.measure()):
            self._report(self.newest | figures)
        if self.server.stop:
            self.progress.say("saving the last checkpoint")
        self.save_checkpoint()
        self._publish_status("stopped")

    def close(self) -> None:
        """Free the games and ray's part; twice does no harm."""
        self.placement.close()
        self.yardstick.close()
        try:
            self.folder.close({"step": self.step, "snapshots": self.frozen})
        except OSError as error:  # a disk that stayed full
            self.progress.say(f"the end of the run is not noted in its manifest: {error.strerror}")
        self.algorithm.stop()
        self.checkpoints.wait()  # of a run that ended by an error, too

    def save_checkpoint(self, *, waits: bool = True) -> Path | None:
        """Write everything that the run needs to resume, whole or not at all; None where the disk stays full.

        Without `waits` the run continues while checksums are computed and files flushed.  Nothing is written twice.
        """
        state, self._checkpointed = self._state(), time.monotonic()
        text = json.dumps(state)  # a copy: parts of the state change in place

        def write() -> Path:
            is_saved, self._saved = self._saved == text, ""  # what follows may fail
            if not is_saved:
                self._newest = self.checkpoints.save(
                    self.algorithm, state, step=self.step, generators=self.runners.generators, waits=waits
                )
            elif waits:
                self.checkpoints.settle()
            self._saved = text
            return self._newest

        path = self._with_room(write)
        if path is None:
            return None
        results = {
            "step": self.step, "last": self.newest, "win_rates": win_rates(self.lineages),
            "pools": self.opponent_pools.table(),
        }  # fmt: skip
        if best := self.checkpoints.best_facts():
            results["best"] = best
        self._with_room(lambda: self.folder.note(results))
        return path

    def _with_room(self, write: Callable[[], T]) -> T | None:
        """Write; while the disk is full the run pauses."""
        before = self.server.status.state
        result = when_there_is_room(write, stopped=lambda: self.server.stop, waiting=self._wait_for_room)
        if self.server.status.state != before:
            self._publish_status(before)
        return result

    def _wait_for_room(self, error: OSError) -> None:
        self.progress.say(f"the disk is full ({error.strerror}): the run waits until there is room, or for a stop")
        self._publish_status("paused")

    @property
    def frozen(self) -> int:
        """Number of snapshots that the run made."""
        return sum(lineage.frozen for lineage in self.lineages)

    @property
    def _is_done(self) -> bool:
        steps_done = bool(self.config.steps) and self.step - self.base_step >= self.config.steps
        return steps_done or self._seconds_left == 0

    @property
    def _seconds_left(self) -> int | None:
        """Whole seconds until the time is over; None without a limit."""
        left = self.config.minutes * 60 - (time.monotonic() - self._began)
        return max(0, round(left)) if self.config.minutes else None

    def _find_checkpoint(self, from_best: bool, trust: bool) -> Path | None:
        ranked = self.checkpoints.best_first() if from_best else self.checkpoints.newest_first()
        found = first_sound(ranked, trust=trust, say=self.progress.say)
        if found or not from_best:
            return found
        raise ConfigError(f"expected a checkpoint whose {self.checkpoints.metric} is known with --from-best, got none")

    def _make_lineages(self) -> list[Lineage]:
        plan = self.runner.plan
        alone = len(plan.policies) == 1
        return [
            Lineage(policy, self.config, self.spec, run_id=self.run_id, store=self.store, alone=alone)
            for policy in plan.policies if policy.id in plan.trained
        ]  # fmt: skip

    def _begin(self, checkpoint: Path | None) -> None:
        if checkpoint is not None:
            restore_algorithm(checkpoint, self.algorithm)
            self.runners.restore(read_generators(checkpoint))
            self._restore(read_state(checkpoint))
            self.folder.trim(self.step)
        elif self.config.start_from:
            self._start_from(self._find_start())
        policies = [lineage.policy for lineage in self.lineages]
        self.references.begin(self.folder.path, self.store, policies, steps=self.step - self.base_step)
        if self.config.opponents.league:
            weights = self.algorithm.learner_group.get_weights(RESET_CHANCE)  # runners have no critics or targets
            keep_first_weights(self.folder.path, weights)

    def _state(self) -> dict[str, Any]:
        lineages = {lineage.policy.id: lineage.as_data() for lineage in self.lineages}
        counters = {name: getattr(self, name) for name in COUNTERS}
        matchmaking, measuring = self.opponent_pools.matchmaker.as_data(), self.measuring.as_data(self.step)
        return counters | {"matchmaking": matchmaking, "lineages": lineages, "measuring": measuring}

    def _restore(self, state: dict[str, Any]) -> None:
        for name in COUNTERS:
            setattr(self, name, state.get(name, 0))  # older checkpoints have no seconds
        for lineage in self.lineages:
            lineage.restore(state["lineages"][lineage.policy.id])
        self.opponent_pools.restore(state["matchmaking"])
        if "measuring" in state:  # older checkpoints have none
            self.measuring.restore(state["measuring"])
        for lineage in self.lineages:  # a kill may have come between a freeze and its checkpoint
            late = [name for name in lineage.saved_names(self.run_id) if name not in lineage.names]
            self._join(lineage, late)
            for name in late:
                self.folder.add_snapshot(self.store.get(name, game=self.spec.id))

    def _find_start(self) -> Snapshot:
        try:
            return self.store.get(self.config.start_from, game=self.spec.id)
        except SnapshotError as error:
            raise ConfigError(f"start_from: {error}", code=error.code) from error

    def _start_from(self, parent: Snapshot) -> None:
        """Start every policy that the snapshot fits from its weights."""
        for lineage in self.lineages:
            if not lineage.policy.is_played_by(parent.card):
                continue
            id = lineage.policy.id
            load_weights(self.runner.network(id), parent)
            set_state(self.algorithm, id, self.runner.module[id].get_state())
            lineage.start_from(parent)
            if self.config.opponents.league and id != MAIN:
                continue  # earlier snapshots are main's past
            inherit = self.config.opponents.inherit
            cards = [c for c in self.store.list(self.spec.id) if c.agents == parent.card.agents]
            names = [card.name for card in cards][-inherit:] if inherit else []
            self._join(lineage, [*names, parent.card.name])
        self.step = self.base_step = self.measuring.next_at = parent.card.step
        self.seconds = parent.card.trained_seconds

    def _join(self, lineage: Lineage, names: list[str]) -> None:
        """Add snapshots of the store to the opponents of the episodes that begin from now on."""
        lineage.names = list(dict.fromkeys([*lineage.names, *names]))
        self.opponent_pools.join(lineage.policy.id, names)

    def _handle_requests(self) -> None:
        """Carry out the requests since the last iteration; wait while paused."""
        matchmaker = self.opponent_pools.matchmaker
        if self.server.paused and not self.server.stop:
            self._publish_status("paused")
            self.server.wait_while_paused(matchmaker.run)
        if self.server.take_freeze():
            self._freeze_and_save("asked for", self.lineages)
        if self.server.config is not matchmaker.run:
            matchmaker.run = self.server.config or matchmaker.run
            self._publish_status(self.server.status.state)
        if not self.server.paused and self.server.status.state == "paused":
            self._publish_status("running")

    def _iterate(self, iteration: Iteration = without_end) -> None:
        """One iteration of the algorithm, and the work that follows it."""
        started = time.monotonic()
        self.opponent_pools.hand_out(self.runners, step=self.step, watched=self.server.is_watched)
        self.references.update(steps=self.step - self.base_step)
        with iteration(self.runners.kill):
            result = self.algorithm.train()
        self.iteration += 1
        steps = int(result["env_runners"]["num_env_steps_sampled"])
        reports = self.runners.reports()
        self.opponent_pools.count(reports)
        self.publisher.moves(piece for report in reports for piece in report.moves)
        episodes = [result for report in reports for result in report.results]
        self.step += steps
        self.seconds += time.monotonic() - started
        self.episodes += sum(not episode.again for episode in episodes)
        metrics: dict[str, Any] = {
            "step": self.step, "iteration": self.iteration, "episodes": self.episodes, "snapshots": self.frozen,
            "steps_per_second": steps / max(time.monotonic() - started, 1e-9),
        }  # fmt: skip
        metrics |= learning_metrics(self.lineages, result, episodes)
        frozen = [self._freeze(lineage, why) for lineage in self.lineages if (why := lineage.due(self.step))]
        self.checkpoints.add(metrics)
        self.publisher.measured(figures := self.measuring.work())
        self._with_ladder(lambda: self.placement.work(PIECE_SECONDS))
        self._report(metrics | figures)
        if not self.server.stop:  # the end of the run has a checkpoint
            self._save_if_due(has_frozen=any(frozen))

    def _save_if_due(self, *, has_frozen: bool) -> None:
        """Begin a measurement, which writes a checkpoint, or write one that is due.

        It comes after the metrics of its step, so that a resumed run has a line for every iteration.
        """
        if self.measuring.is_due(self.step):
            self.measuring.begin(self.step, self.runner.network, self._first_snapshots())
        elif has_frozen or time.monotonic() - self._checkpointed >= self.config.checkpoints.seconds:
            self.save_checkpoint(waits=False)

    def _freeze_and_save(self, reason: str, lineages: Iterable[Lineage]) -> None:
        """Freeze their policies between two iterations, and write one checkpoint of all."""
        frozen = [self._freeze(lineage, reason) for lineage in lineages]
        if any(frozen):
            self.save_checkpoint(waits=False)

    def _freeze(self, lineage: Lineage, reason: str) -> bool:
        """Freeze a learning policy, publish the snapshot, and add it to its pool; False where it could not."""
        began, id = time.time(), lineage.policy.id
        try:
            snapshot = lineage.freeze(
                self.runner.network(id), step=self.step, seconds=self.seconds, note=self._note(lineage, reason),
                seen=self.runner.recent_observations(id, CHECKED_ROWS),
            )  # fmt: skip
        except (ExportError, SnapshotError, OSError) as error:
            self.progress.say(f"{id} not frozen at step {self.step:,}: {error}")
            return False
        name = snapshot.card.name
        self.publisher.snapshot(name, policy=id, step=self.step, began=began)
        self._join(lineage, [name])
        if reason != "start" and self.opponent_pools.matchmaker.draw_reset(id):
            reset_policy(self.algorithm, id, load_first_weights(self.folder.path, id))
            lineage.reset()
        self.folder.add_snapshot(snapshot)
        self.progress.say(f"frozen {name} at step {self.step:,} ({reason})")
        if not self.server.stop:
            lineups = self.opponent_pools.lineups(id, name)
            self._with_ladder(lambda: self.placement.place(snapshot, *lineups))
        return True

    def _with_ladder(self, call: Callable[[], None]) -> None:
        """Call, and continue without the ladder where it cannot be read or written any more."""
        try:
            call()
        except LadderError as error:
            self.placement.give_up()
            self.progress.say(f"the run continues without the ladder: {error}")

    def _note(self, lineage: Lineage, reason: str) -> str:
        recent = lineage.pool.recent()
        note = f"Frozen by {reason} at step {self.step:,} of run {self.run_id} (seed {self.config.seed})"
        return note + (f"; won {recent.win_rate:.0%} of {recent.games} games against its pool" if recent.games else "")

    def measure(self) -> dict[str, float]:
        """The figures of the present policies against the opponents of evaluation.

        Empty without evaluation, and where a stop is requested meanwhile.
        """
        first, stopped = self._first_snapshots(), lambda: self.server.stop
        return self.measuring.finish(self.step, self.runner.network, first, stopped=stopped)

    def _first_snapshots(self) -> dict[str, str]:
        """Those of this run, by policy id."""
        names = {lineage.policy.id: lineage.saved_names(self.run_id) for lineage in self.lineages}
        return {id: own[0] for id, own in names.items() if own}

    def _report(self, metrics: dict[str, Any]) -> None:
        """Write the metrics, and show and publish them."""
        self.newest = metrics
        self._with_room(lambda: self.folder.write(metrics))
        left = self._seconds_left
        self.server.set_status(step=self.step, iteration=self.iteration, snapshots=self.frozen, seconds_left=left)
        self.progress.show(metrics, self.opponent_pools.table, state=self.server.status.state)
        if self.publisher.is_due:
            self._with_ladder(lambda: self.opponent_pools.rate(self.placement.ladder))
            self.publisher.metrics(metrics)

    def _publish_status(self, state: str) -> None:
        policies = tuple(policy.id for policy in self.runner.plan.policies)
        self.publisher.status(
            state=state, step=self.step, algorithm=self.config.algorithm, policies=policies,
            seconds_left=self._seconds_left,
        )  # fmt: skip
