"""Starting trainers from the window: they live as long as it does, unless they are to stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.errors import UserError
from agents.home import folder
from arcade.scenes.lobby import Lobby
from arcade.session.training.facts import words as line_of

if TYPE_CHECKING:
    from arcade.session.trainer_process import OwnTrainer

_LAST_BYTES = 4096


def start_run(lobby: Lobby, run: str, words: Sequence[str], *, nice: int, stays: bool = False) -> None:
    """Start ``python -m trainer WORDS`` for `run`, beside the window; what goes wrong is a toast.

    `nice` is what `words` lower it to, and holds from its first instruction on.  One that stays goes on after the
    window closes.
    """
    from arcade.session.trainer_process import OwnTrainer

    log = folder("runs") / f"{run}.log"

    def failed(error: BaseException) -> None:
        if not isinstance(error, UserError | OSError):
            raise error
        lobby.toasts.say(str(error))

    lobby.worker.submit(
        lambda: OwnTrainer(words, log, stays=stays, nice=nice),
        done=lambda trainer: lobby.adopt_trainer(run, trainer),
        failed=failed,
    )


def resume_run(lobby: Lobby, run: str) -> None:
    """Go on with a run of this machine from its last checkpoint."""
    from arcade.session.trainer_process import NICE

    lobby.toasts.say(f"Starting a trainer that goes on with {run} …")
    start_run(lobby, run, ["--resume", run, "--nice", str(NICE)], nice=NICE)


def last_words(trainer: OwnTrainer | None) -> str:
    """Why a trainer of ours ended by itself, "" where it did not; the last line of its log.  For the worker."""
    if trainer is None or not trainer.status:
        return ""
    try:
        with trainer.log.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _LAST_BYTES))
            lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    except OSError:
        lines = []
    return f"It ended with status {trainer.status}: {line_of(lines[-1], most=200) if lines else 'it said nothing'}"
