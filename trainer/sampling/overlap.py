"""OverlappedRunner: plays the next fragment while the learner works on the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from agents.snapshots.store import Snapshot
from trainer.sampling.episodes import OpponentMix
from trainer.sampling.learning_seats import Networks
from trainer.sampling.rollout import Decisions
from trainer.sampling.runner import Report, SelfPlayRunner


class OverlappedRunner(SelfPlayRunner):
    """After the first call, `sample` returns a fragment played since the last call, with the weights of that time.

    The learner's policy is one update ahead of the behaviour, whose log probabilities are recorded.  Weights and
    matchmaking that arrive during a fragment apply from the next one on; episodes are reported with the fragment that
    they ended in.  The next `sample` raises an error of the thread.  In the driver's own process, where nothing would
    be gained, it plays as any runner.
    """

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="fragment")
        self._ahead: Future[Decisions] | None = None
        self._next_snapshots: dict[str, Snapshot] = {}
        self._report = Report()
        self._changes: dict[object, Callable[[], None]] = {}
        super().__init__(config=config, **kwargs)

    def sample(self, **kwargs: Any) -> list[Decisions]:
        ahead, self._ahead = self._ahead, None
        decisions = self._play() if ahead is None else ahead.result()
        changes, self._changes, self._next_snapshots = self._changes, {}, {}
        for change in changes.values():
            change()
        self._collect_report()
        if self.worker_index:
            self._ahead = self._thread.submit(self._play)
        return [self._count(decisions)]

    def pop_report(self) -> Report:
        """The opponents in it are those before the fragment under way."""
        if self._ahead is None:
            self._collect_report()
        report, self._report = self._report, replace(self._report, results=[], moves=[])
        return report

    def prepare(
        self, mixes: Mapping[str, OpponentMix], snapshots: Mapping[str, Snapshot], *, watched: bool = False
    ) -> None:
        """The last of several that arrive during a fragment counts: the driver made it for the newest report."""
        if self._ahead is None:
            return super().prepare(mixes, snapshots, watched=watched)
        self._next_snapshots |= snapshots
        self._changes["prepare"] = partial(super().prepare, mixes, self._next_snapshots, watched=watched)

    def set_references(self, networks: Networks) -> None:
        self._between_fragments(partial(super().set_references, networks))

    def set_state(self, state: dict[str, Any]) -> None:
        self._between_fragments(partial(super().set_state, state))

    def stop(self) -> None:
        self._thread.shutdown()
        super().stop()

    def _collect_report(self) -> None:
        new, old = super().pop_report(), self._report
        self._report = replace(new, results=old.results + new.results, moves=old.moves + new.moves)

    def _between_fragments(self, change: Callable[[], None]) -> None:
        if self._ahead is None:
            change()
        else:
            self._changes[change] = change
