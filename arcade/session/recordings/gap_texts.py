"""Why a part of a match is not recorded, for players."""

from __future__ import annotations

from arcade.language import N_, _
from arcade.match.recording.replay_writer import Gap

_TEXTS: dict[Gap, str] = {
    "unwritten": N_(
        "The recording could not be written; check whether the disk is full, and the permissions of the folder"
    ),
    "too long": N_("The recording has the longest length and does not continue"),
    "slow disk": N_("The recording lacks what seats saw at some ticks: the disk is too slow"),
    "too large": N_("The recording lacks what seats saw at some ticks: it is too large"),
}


def gap_text(gap: Gap) -> str:
    """A sentence; "" without a gap."""
    return _(_TEXTS[gap]) if gap else ""
