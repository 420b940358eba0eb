"""Reports imitation: progress bars, and a summary as text or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from trainer.imitation.cloning import Clone
from trainer.imitation.network_outputs import Figures
from trainer.imitation.training import Epoch


class Report(Progress):
    """Bars on stderr for recordings and epochs, with the newest figures; silent where `quiet`."""

    def __init__(self, *, epochs: int, quiet: bool) -> None:
        columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, console=Console(stderr=True), disable=quiet)
        self._recordings = self.add_task("reading recordings", total=None, visible=False)
        self._epochs = self.add_task("learning", total=epochs, visible=False)

    def on_recording(self, done: int, total: int) -> None:
        self.update(self._recordings, completed=done, total=total, visible=True)

    def on_epoch(self, epoch: Epoch) -> None:
        text = f"learning: {_text(epoch.validation or epoch.learnt)}"
        self.update(self._epochs, completed=epoch.number, description=text, visible=True)
        if not self.disable:
            validation = f"; validation: {_text(epoch.validation)}" if epoch.validation else ""
            line = f"epoch {epoch.number}: {_text(epoch.learnt)}{validation}"
            self.console.print(line, highlight=False, soft_wrap=True)


def as_json(clone: Clone) -> dict[str, Any]:
    """How the clone was made."""
    card, best = clone.snapshot.card, clone.learnt.best
    return {
        "snapshot": card.name,
        "game": card.game,
        "algorithm": card.algorithm,
        "parent": card.parent,
        "of": clone.dataset.decisions_of,
        "takes": clone.recordings,  # recordings; the key is kept for people's files
        "takes_held_out": clone.held_out,
        "decisions": clone.decisions,
        "corrections": clone.dataset.corrections,
        "left_out": clone.dataset.left_out,
        "network": clone.run.network.model_dump(mode="json"),
        "best_epoch": best.number,
        "learnt": _figures(best.learnt),
        "held_out": _figures(clone.learnt.held_out),
        "epochs": [
            {"epoch": one.number, "learnt": _figures(one.learnt), "validation": _figures(one.validation)}
            for one in clone.learnt.epochs
        ],
        "note": card.note,
    }


def print_clone(clone: Clone, *, as_json_object: bool) -> None:
    if as_json_object:
        print(json.dumps(as_json(clone), allow_nan=False))
        return
    best, card, layers = clone.learnt.best, clone.snapshot.card, clone.run.network
    print(f"{card.name}: a clone of {', '.join(clone.dataset.players)} in {card.game}, by {card.algorithm}")
    print(
        f"learnt from {clone.decisions:,} decisions of {clone.recordings - clone.held_out} recordings"
        + (f", {clone.dataset.corrections:,} corrections in all" if clone.dataset.corrections else "")
        + f"; layers {'-'.join(map(str, layers.hidden))}"
        + (f" and {layers.lstm} cells" if layers.lstm else "")
    )
    if clone.learnt.held_out:
        print(f"on {clone.held_out} recordings held out: {_text(clone.learnt.held_out)} (epoch {best.number})")
    print(f"on the training data: {_text(best.learnt)}")
    print(f"play it: arcade play {card.game} --seat SEAT=snapshot:{card.name}")


def _text(figures: Figures) -> str:
    return f"agrees with {figures.accuracy:.1%} of {figures.decisions:,}, log-likelihood {figures.log_likelihood:.3f}"


def _figures(figures: Figures | None) -> dict[str, float] | None:
    """Rounded, by name."""
    return {name: round(value, 4) for name, value in asdict(figures).items()} if figures else None
