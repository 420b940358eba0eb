"""OverlappedRunner: plays the next fragment while the learner works on the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from agents.snapshots.store import Snapshot
from trainer.sampling.casting import OpponentMix
from trainer.sampling.learning_seats import Networks
from trainer.sampling.opponents import RollCall
from trainer.sampling.rollout import Decisions
from trainer.sampling.runner import News, SelfPlayRunner


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
        self._changes: list[Callable[[], None]] = []
        self._next_mixes: Mapping[str, OpponentMix] | None = None
        self._next_snapshots: dict[str, Snapshot] = {}
        self._news: News = ([], [])
        self._last_roll_call: RollCall  # before the fragment under way
        super().__init__(config=config, **kwargs)

    def sample(self, **kwargs: Any) -> list[Decisions]:
        ahead, self._ahead = self._ahead, None
        decisions = self._play() if ahead is None else ahead.result()
        results, pieces = super().pop_news()
        self._news = self._news[0] + results, self._news[1] + pieces
        self._apply_changes()
        self._last_roll_call = super().roll_call()
        if self.worker_index:
            self._ahead = self._thread.submit(self._play)
        return [self._count(decisions)]

    def pop_news(self) -> News:
        news, self._news = self._news, ([], [])
        return news

    def roll_call(self) -> RollCall:
        return self._last_roll_call if self._ahead else super().roll_call()

    def set_matchmaking(self, mixes: Mapping[str, OpponentMix], snapshots: Mapping[str, Snapshot]) -> None:
        """The last of several that arrive during a fragment counts: the driver made it for the newest roll call."""
        if self._ahead is None:
            super().set_matchmaking(mixes, snapshots)
        else:
            self._next_mixes = mixes
            self._next_snapshots |= snapshots

    def turn_watch(self, on: bool) -> None:
        self._between_fragments(lambda: super(OverlappedRunner, self).turn_watch(on))

    def set_references(self, networks: Networks) -> None:
        self._between_fragments(lambda: super(OverlappedRunner, self).set_references(networks))

    def set_state(self, state: dict[str, Any]) -> None:
        self._between_fragments(lambda: super(OverlappedRunner, self).set_state(state))

    def stop(self) -> None:
        self._thread.shutdown()
        super().stop()

    def _apply_changes(self) -> None:
        """Apply the changes that arrived during the last fragment."""
        changes, self._changes = self._changes, []
        for change in changes:
            change()
        if self._next_mixes is not None:
            super().set_matchmaking(self._next_mixes, self._next_snapshots)
            self._next_mixes, self._next_snapshots = None, {}

    def _between_fragments(self, change: Callable[[], None]) -> None:
        if self._ahead is None:
            change()
        else:
            self._changes.append(change)
