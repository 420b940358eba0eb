"""The trainers that this window started; they end with it unless they are told to stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from agents.errors import UserError
from agents.home import folder
from arcade.session.worker import Worker

if TYPE_CHECKING:
    from pathlib import Path

    from agents.wire.trainer_events import TrainerStatus
    from arcade.session.trainer_process import OwnTrainer
    from arcade.session.training.run_link import RunLink


class OwnTrainers:
    """By run."""

    def __init__(self, worker: Worker, *, say: Callable[[str], None]) -> None:
        """`say` shows a line to people."""
        self._worker, self._say = worker, say
        self._by_run: dict[str, OwnTrainer] = {}

    def get(self, run: str) -> OwnTrainer | None:
        return self._by_run.get(run)

    def link(self, folder: Path, status: TrainerStatus) -> RunLink:
        """A link to the run in `folder`, which need not exist yet."""
        from arcade.session.training.run_link import RunLink

        return RunLink(worker=self._worker, folder=folder, status=status, own=lambda: self.get(folder.name))

    def adopt(self, run: str, trainer: OwnTrainer) -> None:
        """End `trainer` with the window too, unless it stays."""
        self._by_run[run] = trainer

    def start(self, run: str, words: Sequence[str], *, nice: int, stays: bool = False) -> None:
        """Start ``python -m trainer WORDS`` for `run` in the worker.

        `nice` is its priority from the first instruction on.  A trainer that `stays` outlives the window.
        """
        from arcade.session.trainer_process import OwnTrainer

        log = folder("runs") / f"{run}.log"
        self._worker.submit(
            lambda: OwnTrainer(words, log, stays=stays, nice=nice),
            done=lambda trainer: self.adopt(run, trainer),
            failed=self._failed,
        )

    def resume(self, run: str) -> None:
        """Continue a run of this machine from its last checkpoint."""
        from arcade.session.trainer_process import NICE

        self._say(f"Starting a trainer that resumes {run} …")
        self.start(run, ["--resume", run, "--nice", str(NICE)], nice=NICE)

    def close(self) -> None:
        """End all that do not stay; they write their last checkpoints at the same time."""
        for trainer in self._by_run.values():
            trainer.ask_to_end()
        for trainer in self._by_run.values():
            trainer.close()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, UserError | OSError):
            raise error
        self._say(str(error))
