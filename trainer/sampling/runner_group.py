"""RunnerGroup: what the driver tells all runners, and hears from them, without waiting where runners never wait."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import ray

from trainer.sampling.runner import Report, SelfPlayRunner

Call = Callable[[SelfPlayRunner], Any]


class RunnerGroup:
    """The runners of an algorithm.

    An actor runs one call at a time, so that an answer of a remote runner waits for its fragment.  With `waits` False,
    for asynchronous algorithms, no call waits for remote runners: `tell` leaves what arrives during a fragment for
    after it, the newest alone if several do, and `reports` returns what has arrived of the answers to earlier calls.
    """

    def __init__(self, algorithm: Any, *, waits: bool) -> None:
        self._group, self._waits = algorithm.env_runner_group, waits
        self._local: SelfPlayRunner = algorithm.env_runner
        self.generators: dict[str, Any] = {}
        """Runner's number to the state of its random generator at its newest report, for checkpoints."""
        self._told: dict[int, Any] = {}  # runner's number to the reference of its call under way
        self._asked: dict[int, Any] = {}

    @property
    def are_remote(self) -> bool:
        """Whether there are runners in other processes."""
        return bool(self._actors)

    def tell(self, call: Call) -> None:
        """Let every runner carry out `call`."""
        if self._waits:
            self._group.foreach_env_runner(call)
            return
        call(self._local)
        for number, actor in self._actors.items():
            if number not in self._told or _is_ready(self._told[number]):
                self._told[number] = actor.apply.remote(call)

    def reports(self) -> list[Report]:
        """The reports of the runners since their last ones."""
        reports: list[Report] = self._group.foreach_env_runner(_pop_report) if self._waits else self._arrived()
        self.generators |= {str(report.runner): report.generator for report in reports}
        return reports

    def restore(self, generators: Mapping[str, Any]) -> None:
        """Set the generators of all runners to those of a checkpoint."""
        self.generators = dict(generators)

        def restore(runner: SelfPlayRunner) -> None:
            if state := generators.get(str(runner.worker_index)):
                runner.rng.bit_generator.state = state

        self._group.foreach_env_runner(restore)

    def _arrived(self) -> list[Report]:
        arrived = [self._local.pop_report()]
        for number, actor in self._actors.items():
            if number in self._asked:
                if not _is_ready(self._asked[number]):
                    continue
                arrived += _answer(self._asked[number])
            self._asked[number] = actor.apply.remote(_pop_report)
        return arrived

    def kill(self) -> None:
        """End the remote runners in the middle of their fragments; RLlib would log each as a failure."""
        logging.getLogger("ray.rllib.utils.actor_manager").setLevel(logging.CRITICAL)
        for actor in self._actors.values():
            ray.kill(actor)

    @property
    def _actors(self) -> dict[int, Any]:
        actors: dict[int, Any] = self._group._worker_manager.actors()  # it has no public name
        return actors


def _pop_report(runner: SelfPlayRunner) -> Report:
    return runner.pop_report()


def _is_ready(reference: Any) -> bool:
    return bool(ray.wait([reference], timeout=0)[0])


def _answer(reference: Any) -> list[Report]:
    """The report, none of a runner that was lost."""
    try:
        return [ray.get(reference)]
    except ray.exceptions.RayError:
        return []
