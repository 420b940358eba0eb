"""Why a snapshot cannot be used, as part of a sentence for players; `str(error)` has the words for developers."""

from __future__ import annotations

from agents.snapshots.snapshot import SnapshotError, SnapshotFault
from arcade.language import N_, _

FAULTS: dict[SnapshotFault, str] = {
    "missing": N_("no snapshot was found there"),
    "damaged": N_("it is incomplete or damaged"),
    "renamed": N_("its folder has another name than the snapshot in it"),
    "other game": N_("it was made for another game"),
    "other seat": N_("it does not fit this seat"),
    "taken": N_("another snapshot has that name already"),
}
_FILES = N_("its files cannot be copied; check the permissions, and whether the disk is full")


def fault_text(error: BaseException) -> str:
    """Return why a snapshot is refused; errors without a known fault keep their words."""
    if isinstance(error, OSError):
        return _(_FILES)
    fault = error.fault if isinstance(error, SnapshotError) else ""
    return _(FAULTS[fault]) if fault else str(error)
