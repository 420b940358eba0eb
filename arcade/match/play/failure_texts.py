"""What policy servers did to a seat that cannot play on, in words."""

from __future__ import annotations

from arcade.language import N_

FAILURES = {
    "no server": N_("no policy server answers"),
    "no access": N_("the keys of this machine and of the policy server do not match"),
    "no policy": N_("the policy server has no such policy for this game"),
    "refused": N_("the policy server refuses the seat"),
    "silent": N_("the policy server has stopped answering"),
    "absent": N_("the policy server did not answer at the end of the match"),
    "wrong": N_("the policy server gave wrong answers"),
    "cut": N_("the policy server sent too much"),
}
"""`agents.seats.controller.FailureCause` → the words."""
