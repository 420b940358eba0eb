"""Old checkpoints of a sweep go, those that another trial may take up stay."""

import os
from types import SimpleNamespace

from trainer.sweeps import KEPT_CHECKPOINTS, TrialCheckpoints


def test_only_the_newest_checkpoints_of_the_trial_stay(tmp_path) -> None:
    ages = [5, 6, 7, 0, 1, 2, 8, 9]  # a trial that took another's up counts from there: names do not tell the age
    for index, age in enumerate(ages):
        path = tmp_path / "trial" / f"checkpoint_{index:06d}"
        path.mkdir(parents=True)
        (path / "state.bin").write_bytes(b"weights")
        os.utime(path, (age, age))
    other = tmp_path / "other" / "checkpoint_000000"
    other.mkdir(parents=True)
    newest = SimpleNamespace(path=str(tmp_path / "trial" / "checkpoint_000007"))
    TrialCheckpoints().on_checkpoint(1, [], None, newest)
    stayed = sorted(path.name for path in (tmp_path / "trial").iterdir())
    assert len(stayed) == KEPT_CHECKPOINTS
    assert stayed == ["checkpoint_000001", "checkpoint_000002", "checkpoint_000006", "checkpoint_000007"]
    assert other.exists()
