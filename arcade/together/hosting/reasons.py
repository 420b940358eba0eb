"""Why a match ended early, in words: each machine tells it in the language of its player."""

from __future__ import annotations

from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.match.play.failure_texts import FAILURES
from arcade.together.messages import printable

REASONS = {
    "left": N_("{machine} has left"),
    "silent": N_("{machine} does not answer"),
    "away": N_("{machine} did not come back within {seconds:g} s"),
    "idle": N_("{machine} sends no inputs"),
    "spoilt": N_("{machine} sent what is no input: {detail}"),
    "seat": N_("the player of {machine} in the seat {seat} cannot play on: {detail}"),
    "game": N_("the game failed at {machine}: {detail}"),
    "differs": N_("{machine} differs again and again, at tick {detail} now"),
    "diverges": N_("tick {detail} differs at {machine} whenever it is computed"),
}
"""What travels → the words."""

FROM_GUEST = ("seat", "game")
"""Those that a guest gives for leaving; without one it has simply left."""

PARTS = (
    N_("the reward of {seat}"), N_("the end of {seat}"), N_("the legal actions of {seat}"),
    N_("the observation of {seat}"), N_("the seats to act"), N_("a part that is no longer known"),
    N_("nothing that still shows"),
)  # fmt: skip
"""Parts of a tick that differ, as `tick_parts` and DigestBook name them."""


def reason_text(
    cause: str, machine: str, grace: float = 0.0, *, spec: GameSpec | None = None, seat: str = "", detail: str = ""
) -> str:
    """The words for one of REASONS; "" for another.

    `grace`: the seconds within which a machine may come back; `seat`: an agent of `spec`; `detail`: one of FAILURES, or
    plain text, which may be of another machine.
    """
    detail = _(FAILURES[detail]) if detail in FAILURES else printable(detail)
    words = _(REASONS.get(cause, ""))
    return words.format(machine=machine, seconds=grace, seat=_seat_text(seat, spec), detail=detail)


def another_result(machine: str) -> str:
    """Why a result does not count."""
    return _("{machine} has another result").format(machine=machine)


def part_text(part: str, spec: GameSpec) -> str:
    """The words for a part of a tick, one of PARTS with an agent; another text stays as it is."""
    before, of, agent = part.partition(" of ")
    words = f"{before} of {{seat}}" if of else part
    return _(words).format(seat=_seat_text(agent, spec)) if words in PARTS else part


def _seat_text(seat: str, spec: GameSpec | None) -> str:
    agents = spec.agents if spec is not None else ()
    return next((spec.seat_title(agent) for agent in agents if spec and str(agent) == seat), printable(seat))
