"""Score: what a game counts and in which unit; Source: reads it while the game is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.seats.controller import AgentID
from arcade.language import _, local_number

Points = tuple[float | None, ...]
"""The score of each team, in the order of the teams; None for a team that counts nothing. (): no score."""

Teams = Sequence[Sequence[AgentID]]


class Step(Protocol):
    """The part of a tick that sources read."""

    @property
    def rewards(self) -> Mapping[AgentID, float]: ...

    @property
    def infos(self) -> Mapping[AgentID, Mapping[str, Any]]: ...


Reader = Callable[[Step], Points]
"""Called once for the reset and once for each step of an episode, in the env's process."""


class Source(Protocol):
    """Plain data that travels with the game."""

    def begin(self, env: Any, teams: Teams) -> Reader:
        """Return the reader of one episode; `env` has just been reset."""
        ...


@dataclass(frozen=True, kw_only=True)
class Score:
    """The score of a game as its players count it."""

    source: Source | None = None  # None: each team's mean return, or no score at all
    one: str = "{} point"  # the text of a single one, "{}" for the number
    many: str = "{} points"  # of any other number; "": the game is won, lost or drawn, and counts nothing
    digits: int = 0  # decimal places
    lower_wins: bool = False
    drawn: bool = False  # the game's own picture shows it
    decides: bool = True  # the better score wins the match; False: the better return

    @property
    def counts(self) -> bool:
        """Whether there is a score."""
        return bool(self.many)

    def number(self, value: float | None) -> str:
        """Return the score without its unit; "" for None."""
        if value is None:
            return ""
        text = f"{value:.{self.digits}f}"
        return local_number(f"{float(text):.0f}" if float(text) == int(value) else text)

    def words(self, value: float) -> str:
        """Return the score with its unit: "1 catch", "3 catches"."""
        number = self.number(value)
        return _(self.one if number == "1" else self.many).format(number)

    def of_teams(self, read: Points, returns: Mapping[AgentID, float], teams: Teams) -> Points:
        """Return the score of each team: as `read` from the game, else the mean return; () without a score."""
        if read or not self.counts:
            return read
        return tuple(sum(float(returns[agent]) for agent in team) / len(team) for team in teams) if returns else ()


NO_SCORE = Score(one="", many="", decides=False)
"""Won, lost or drawn, and nothing to count."""

RETURNS = Score(one="total reward {}", many="total reward {}", digits=1, decides=False)
"""Of games that declare none."""
