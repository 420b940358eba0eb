"""Facts: the state of a match in words, for the HUD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID, Controller, Insight
from arcade.games.spec import GameSpec
from arcade.match.play.adjustable import AdjustableMatch
from arcade.session.match.launch import Launched
from arcade.session.match.pace import moment_of


class Facts:
    """Reads a launched match; `lineup` is the scene's own and changes with the seats."""

    def __init__(self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], launched: Launched) -> None:
        self.spec, self.lineup, self._launched = spec, lineup, launched
        self.pace_words = ""  # how fast it is played; "" at the game's own pace

    @property
    def match(self) -> AdjustableMatch:
        return self._launched.match

    def label(self, agent: AgentID) -> str:
        """Return the name of the seat's player."""
        return self.match.mapping[agent].label

    def insight(self, agent: AgentID) -> Insight | None:
        """Return the AI insight of the seat; None without one."""
        return self.match.mapping[agent].insight()

    def action_space(self, agent: AgentID) -> Any:
        """Return the action space of the seat."""
        return self.match.stage.spaces[agent][1]

    def players(self, team: int) -> tuple[tuple[SeatChoice, str], ...]:
        """Return device and name of each player of the team; ``name × 3`` for a player with three seats."""
        counted = Counter((self.lineup[agent], self.label(agent)) for agent in self.spec.teams[team])
        return tuple((choice, f"{label} × {n}" if n > 1 else label) for (choice, label), n in counted.items())

    def seats(self, team: int) -> str:
        """Return the agents of a team, or their number."""
        agents = self.spec.teams[team]
        return ", ".join(str(agent) for agent in agents) if len(agents) <= 3 else f"{len(agents)} seats"

    def score(self, team: int) -> str:
        """Return the game's own score of the team, else its mean return."""
        return score_text(self.spec, team, self._launched.watch.shown_score, self.match.scores)

    def moment(self) -> str:
        """Return the time of the match, or its number of moves."""
        return moment_of(self.match)

    def network(self) -> str:
        """Return the round-trip times of remote seats, and the late ticks."""
        away = [(agent, _round_trip(controller)) for agent, controller in self.match.mapping.items()]
        words = [f"{agent} {ms:.0f} ms away" for agent, ms in away if ms is not None][:4]
        late = [f"{agent} {count}" for agent, count in self.match.late.items() if count][:4]
        return "  ·  ".join([*words, *(["late ticks: " + ", ".join(late)] if late else [])])


def score_text(spec: GameSpec, team: int, own: Sequence[Any], scores: Mapping[AgentID, float]) -> str:
    """Return the game's own score of the team if it has one for each, else its mean return."""
    if len(own) == len(spec.teams):
        return str(own[team])
    mean = sum(scores[agent] for agent in spec.teams[team]) / len(spec.teams[team])
    return f"{mean:.0f}" if abs(mean - round(mean)) < 1e-6 else f"{mean:.1f}"


def _round_trip(controller: Controller) -> float | None:
    """Return the newest round-trip time of a remote seat in milliseconds; None for others and while silent."""
    remote: Any = getattr(controller, "inner", controller)
    ms = getattr(remote, "rtt_ms", None)
    return None if ms is None or getattr(remote, "silent", False) else float(ms)
