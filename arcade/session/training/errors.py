"""Errors of trainers in words for players, as far as they are understood."""

from __future__ import annotations

from arcade.language import N_, _

_BUSY = N_("the computer was too busy. Try again when less is running.")
REASONS = (
    ("computer is too busy", _BUSY),
    ("Timed out waiting", _BUSY),
    ("No space left", N_("the disk is full.")),
    ("Cannot allocate memory", N_("the computer ran out of memory. Close other programs and try again.")),
    ("status -9", N_("the system ended it, mostly for want of memory. Close other programs and try again.")),
    ("No module named", N_("a package that training needs is missing.")),
    ("the trainer's packages", N_("a package that training needs is missing.")),
    (
        "of memory of",
        N_("the settings need more memory than there is. Make the network, batch or number of games smaller."),
    ),
    ("does not know our key", N_("the trainer does not know the key of this computer; allow it there: {remedy}")),
    (
        "has another key",
        N_("the key in the address is not that of the trainer, which is shown there by: arcade keys show"),
    ),
    (
        "asks for keys",
        N_("the trainer asks for keys; write KEY@ before the host, as is shown there by: arcade keys show"),
    ),
    ("has no keys", N_("the trainer has no keys; write insecure@ before the host if you trust the network")),
    ("is no server of the arcade", N_("this is no trainer of the arcade")),
    ("it was cut off", N_("the trainer sent more than this computer takes")),
    ("a run that has begun", N_("the training is still starting")),
)
"""What an error has in it, and what that means to a player; `remedy` is what it says behind its last colon."""

REPORTED = N_("The trainer reported: {error}")
"""Words that are not understood are those of the trainer or of a library, in English."""


def reason_text(error: str) -> str:
    """Return what an error of a trainer means, as part of a sentence; "" for one that is not understood."""
    remedy = error.rpartition(": ")[2]
    return next((_(words).format(remedy=remedy) for sign, words in REASONS if sign in error), "")


def trouble_text(error: str) -> str:
    """Return an error of a trainer as a sentence; one that is not understood in the trainer's own words."""
    reason = reason_text(error)
    return reason[:1].upper() + reason[1:] if reason else reported_text(error)


def reported_text(error: str) -> str:
    """Return the own words of a trainer, as such; "" for none."""
    return _(REPORTED).format(error=error) if error else ""
