"""Tutorial: short instructions for a first match of volley, which advance as the player moves, jumps and hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arcade.language import N_

if TYPE_CHECKING:  # the first screen is shown before these are imported
    from agents.seats.controller import AgentID, SeatChoice
    from arcade.games.spec import GameSpec
    from arcade.session.match.session import MatchSession

MOST = 10.0
"""Seconds of play after which the next instruction comes, whether the player followed or not."""

PRAISE = 1.2
"""Seconds that an instruction stays once it was followed."""

LEAST = 4.0
"""Seconds of play that it stays at least, so that it can be read."""


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction."""

    text: str  # marked for translation; for a keyboard
    pad_text: str  # the same for a gamepad
    done: Callable[[Tutorial], bool] = lambda tutorial: False


STEPS = (
    Step(
        N_("You are blue, on the left. Run: A and D, or the arrow keys."),
        N_("You are blue, on the left. Run: the left stick."),
        lambda tutorial: {"left", "right"} <= tutorial.ways,
    ),
    Step(
        N_("Jump: W, the up arrow or Space."), N_("Jump: {a}, or the stick up."),
        lambda tutorial: "up" in tutorial.ways,
    ),
    Step(
        N_("Now get under the ball and hit it over the net."), N_("Now get under the ball and hit it over the net."),
        lambda tutorial: tutorial.hits > 0,
    ),
    Step(
        N_("The ball scores on the other side's sand. The first to five wins; {pause} pauses. Have fun!"),
        N_("The ball scores on the other side's sand. The first to five wins; {pause} pauses. Have fun!"),
    ),
)  # fmt: skip
"""In their order."""

LAST_SECONDS = 6.0
"""How long the last one stays."""


@dataclass
class Tutorial:
    """Follows `agent` in a match; `update` is called once a frame::

    tutorial.update(now, session)
    tutorial.step, tutorial.is_followed, tutorial.is_over
    """

    agent: AgentID
    ways: set[str] = field(default_factory=set)  # of the present step: "left", "right", "up"
    hits: int = 0  # of the present step
    index: int = 0
    is_followed: bool = False  # the player did what the present step says
    is_over: bool = False
    _hits_before: int = 0
    _next_at: float | None = None
    _shown_at: float = 0.0
    _now: float = 0.0

    @property
    def step(self) -> Step:
        """The present instruction."""
        return STEPS[self.index]

    @property
    def is_praised(self) -> bool:
        """Whether the player followed it so lately that only praise is shown."""
        return self.is_followed and self._next_at is not None and self._now >= self._next_at - PRAISE

    def update(self, now: float, session: MatchSession) -> None:
        """Look at what the player does; no time passes before the match runs, which is not rated."""
        self._now = now
        if session.is_begun:
            session.match.rated = False
        if self.is_over or not session.is_begun or session.match.paused or session.launched is None:
            return
        self._look(session)
        if self._next_at is None:
            self._shown_at = now
            self._next_at = now + (LAST_SECONDS if self.step is STEPS[-1] else MOST)
        if not self.is_followed and self.step.done(self):
            self.is_followed, self._next_at = True, max(now + PRAISE, self._shown_at + LEAST)
        if now >= self._next_at:
            self._advance()
        self.is_over = self.is_over or session.match.over

    def _look(self, session: MatchSession) -> None:
        assert session.launched is not None
        self.ways |= _ways(session.spec, self.agent, session.last_actions.get(self.agent))
        self.hits = session.launched.watch.hits[self.agent] - self._hits_before

    def _advance(self) -> None:
        if self.step is STEPS[-1]:
            self.is_over = True
            return
        self.index, self.is_followed, self._next_at = self.index + 1, False, None
        self._hits_before, self.hits = self._hits_before + self.hits, 0
        self.ways = set()


def tutorial_lineup(spec: GameSpec, person: SeatChoice) -> dict[AgentID, SeatChoice]:
    """Return the seats: the person on the left, the easy AI in all others."""
    from agents.seats.controller import SeatChoice

    return dict.fromkeys(spec.agents, SeatChoice("level", "easy")) | {spec.agents[0]: person}


def _ways(spec: GameSpec, agent: AgentID, action: object) -> set[str]:
    """Return the words of the directions in an action: {"up", "left"}."""
    names = spec.seat_action_names.get(agent, spec.action_names)
    is_known = isinstance(action, int) or hasattr(action, "item")
    return set(names[int(action)].split()) if is_known and names else set()  # type: ignore[call-overload]
