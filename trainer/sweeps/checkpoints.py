"""How many checkpoints a sweep keeps of each trial."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from ray import tune

KEPT = 4
"""The newest of each trial: another may be about to take up one that is not its newest any more."""


class KeptCheckpoints(tune.Callback):
    """Deletes the older checkpoints of a trial as new ones come.

    Ray Tune's own `num_to_keep` counts a checkpoint that one trial takes over from another as both trials' own: whoever
    drops it second fails and loses what it had saved (ray 2.60, CheckpointManager.register_checkpoint).
    """

    def on_checkpoint(self, iteration: int, trials: list[Any], trial: Any, checkpoint: Any, **_: Any) -> None:
        folder = Path(checkpoint.path).parent
        by_age = sorted(folder.glob("checkpoint_*"), key=lambda path: path.stat().st_mtime)
        for old in by_age[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)  # leftovers go with the sweep's folder
