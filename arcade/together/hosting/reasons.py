"""Why a match ended early, in words: each machine tells it in the language of its player."""

from __future__ import annotations

from arcade.language import N_, _

REASONS = {
    "left": N_("{machine} has left"),
    "silent": N_("{machine} does not answer"),
    "away": N_("{machine} did not come back within {seconds:g} s"),
    "idle": N_("{machine} sends no inputs"),
    "spoilt": N_("{machine} sent what is no input"),
}
"""What travels → the words."""


def reason_text(cause: str, machine: str, grace: float) -> str:
    """The words for one of REASONS; "" for another.  `grace`: the seconds within which a machine may come back."""
    return _(REASONS.get(cause, "")).format(machine=machine, seconds=grace)
