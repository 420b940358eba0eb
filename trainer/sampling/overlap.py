"""A runner that plays the next fragment while the learner works on the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from agents.snapshots.store import Snapshot
from trainer.sampling.casting import OpponentMix
from trainer.sampling.lanes import Decisions
from trainer.sampling.reference_logits import Networks
from trainer.sampling.results import EpisodeResult, RollCall
from trainer.sampling.runner import SelfPlayRunner


class OverlappedRunner(SelfPlayRunner):
    """What `sample` returns was played, all but the first time, since the last call, with the weights of then.

    So the learner's policy is one update ahead of the behaviour, whose log probabilities are recorded.  Weights and
    matchmaking that arrive while a fragment is played apply from the next one on; episodes are told with the fragment
    that they ended in.  An error of the thread is raised by the next `sample`.  In the driver's own
    process, where nothing would be gained, it is as any runner.
    """

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="fragment")
        self._ahead: Future[Decisions] | None = None
        self._changes: list[Callable[[], None]] = []
        self._mixes_to_come: Mapping[str, OpponentMix] | None = None
        self._snapshots_to_come: dict[str, Snapshot] = {}
        self._told: list[EpisodeResult] = []
        self._shown: list[dict[str, Any]] = []
        self._called: RollCall  # as it was before the fragment under way
        super().__init__(config=config, **kwargs)

    def sample(self, **kwargs: Any) -> list[Decisions]:
        ahead, self._ahead = self._ahead, None
        decisions = self._play() if ahead is None else ahead.result()
        self._told += super().take_results()
        self._shown += self.watched.take()
        self._change()
        self._called = super().roll_call()
        if self.worker_index:
            self._ahead = self._thread.submit(self._play)
        return [self._count(decisions)]

    def take_results(self) -> list[EpisodeResult]:
        told, self._told = self._told, []
        return told

    def take_news(self) -> tuple[list[EpisodeResult], list[dict[str, Any]]]:
        shown, self._shown = self._shown, []
        return self.take_results(), shown

    def roll_call(self) -> RollCall:
        return self._called if self._ahead else super().roll_call()

    def set_matchmaking(self, mixes: Mapping[str, OpponentMix], snapshots: Mapping[str, Snapshot]) -> None:
        """Of several that arrive during a fragment the last one counts: the driver made it for the newest roll call."""
        if self._ahead is None:
            super().set_matchmaking(mixes, snapshots)
        else:
            self._mixes_to_come = mixes
            self._snapshots_to_come |= snapshots

    def turn_watch(self, on: bool) -> None:
        self._between_fragments(lambda: super(OverlappedRunner, self).turn_watch(on))

    def set_references(self, networks: Networks) -> None:
        self._between_fragments(lambda: super(OverlappedRunner, self).set_references(networks))

    def set_state(self, state: dict[str, Any]) -> None:
        self._between_fragments(lambda: super(OverlappedRunner, self).set_state(state))

    def stop(self) -> None:
        self._thread.shutdown()
        super().stop()

    def _change(self) -> None:
        """No fragment is under way: what arrived during the last one applies now."""
        changes, self._changes = self._changes, []
        for change in changes:
            change()
        if self._mixes_to_come is not None:
            super().set_matchmaking(self._mixes_to_come, self._snapshots_to_come)
            self._mixes_to_come, self._snapshots_to_come = None, {}

    def _between_fragments(self, change: Callable[[], None]) -> None:
        if self._ahead is None:
            change()
        else:
            self._changes.append(change)
