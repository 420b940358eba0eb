"""What a clone came to: lines while it is learnt, a table or JSON in the end."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from arcade.recordings.library import Recording
from trainer.imitation.agreement import Figures
from trainer.imitation.cloning import Callbacks, Clone
from trainer.imitation.training import Epoch


class Report:
    """Bars on stderr for recordings and passes, with the newest figures; silent where `quiet`."""

    def __init__(self, *, epochs: int, quiet: bool) -> None:
        columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), disable=quiet)
        self._recordings = self._bar.add_task("reading recordings", total=None, visible=False)
        self._epochs = self._bar.add_task("learning", total=epochs, visible=False)
        self.callbacks = Callbacks(on_recordings=self._begin, on_recording=self._on_recording, on_epoch=self._on_epoch)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def _begin(self, count: int) -> None:
        self._bar.update(self._recordings, total=count, visible=True)

    def _on_recording(self, recording: Recording) -> None:
        self._bar.advance(self._recordings)

    def _on_epoch(self, epoch: Epoch) -> None:
        words = f"learning: {_words(epoch.held_out or epoch.learnt)}"
        self._bar.update(self._epochs, completed=epoch.number, description=words, visible=True)
        if not self._bar.disable:
            self._bar.console.print(_line(epoch), highlight=False, soft_wrap=True)


def as_json(clone: Clone) -> dict[str, Any]:
    """All that is known of how it was made."""
    card, best = clone.snapshot.card, clone.learnt.best
    return {
        "snapshot": card.name,
        "game": card.game,
        "algorithm": card.algorithm,
        "parent": card.parent,
        "of": clone.dataset.who,
        "takes": clone.recordings,
        "takes_held_out": clone.held_out,
        "decisions": clone.decisions,
        "corrections": clone.dataset.corrections,
        "left_out": clone.dataset.left_out,
        "network": clone.run.network.model_dump(mode="json"),
        "best_epoch": best.number,
        "learnt": _figures(best.learnt),
        "held_out": _figures(best.held_out),
        "epochs": [
            {"epoch": one.number, "learnt": _figures(one.learnt), "held_out": _figures(one.held_out)}
            for one in clone.learnt.epochs
        ],
        "note": card.note,
    }


def print_clone(clone: Clone, *, as_json_object: bool) -> None:
    if as_json_object:
        print(json.dumps(as_json(clone), allow_nan=False))
        return
    best, card, layers = clone.learnt.best, clone.snapshot.card, clone.run.network
    print(f"{card.name}: a clone of {', '.join(clone.dataset.who)} in {card.game}, by {card.algorithm}")
    print(
        f"learnt from {clone.decisions:,} decisions of {clone.recordings - clone.held_out} recordings"
        + (f", {clone.dataset.corrections:,} corrections in all" if clone.dataset.corrections else "")
        + f"; layers {'-'.join(map(str, layers.hidden))}"
        + (f" and {layers.lstm} cells" if layers.lstm else "")
    )
    if best.held_out:
        print(f"on {clone.held_out} recordings held out: {_words(best.held_out)} (pass {best.number})")
    print(f"on what it learnt from: {_words(best.learnt)}")
    print(f"play it: arcade play {card.game} --seat SEAT=snapshot:{card.name}")


def _words(figures: Figures) -> str:
    return f"agrees with {figures.accuracy:.1%} of {figures.decisions:,}, log-likelihood {figures.log_likelihood:.3f}"


def _line(epoch: Epoch) -> str:
    held = f"; held out: {_words(epoch.held_out)}" if epoch.held_out else ""
    return f"pass {epoch.number}: {_words(epoch.learnt)}{held}"


def _figures(figures: Figures | None) -> dict[str, Any] | None:
    if figures is None:
        return None
    return {
        "decisions": figures.decisions,
        "accuracy": round(figures.accuracy, 4),
        "log_likelihood": round(figures.log_likelihood, 4),
    }
