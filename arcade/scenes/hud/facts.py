"""Facts: what the HUD knows of a match, in the form in which people read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID, Controller
from agents.seats.insight import Insight
from arcade.games.spec import GameSpec
from arcade.match.play.adjustable import AdjustableMatch
from arcade.session.match.launch import Launched
from arcade.session.match.pace import moment_words


class Facts:
    """Reads a match that has been launched; `lineup` is the scene's own and follows whoever changes seats."""

    def __init__(self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], launched: Launched) -> None:
        self.spec, self.lineup, self._launched = spec, lineup, launched
        self.pace_words = ""  # how fast it is played; "" at the game's own pace

    @property
    def match(self) -> AdjustableMatch:
        return self._launched.match

    def label(self, agent: AgentID) -> str:
        """Who plays the seat."""
        return self.match.mapping[agent].label

    def mind(self, agent: AgentID) -> Insight | None:
        """What the seat thinks just now; None where it does not say."""
        return self.match.mapping[agent].mind()

    def action_space(self, agent: AgentID) -> Any:
        """What the seat may do."""
        return self.match.stage.spaces[agent][1]

    def players(self, team: int) -> tuple[tuple[SeatChoice, str], ...]:
        """Who plays for the team and with what, each once; ``name × 3`` for whoever holds three seats."""
        counted: dict[tuple[SeatChoice, str], int] = {}
        for agent in self.spec.teams[team]:
            player = self.lineup[agent], self.label(agent)
            counted[player] = counted.get(player, 0) + 1
        return tuple((choice, f"{label} × {n}" if n > 1 else label) for (choice, label), n in counted.items())

    def seats(self, team: int) -> str:
        """The agents of a team, or how many they are."""
        agents = self.spec.teams[team]
        return ", ".join(str(agent) for agent in agents) if len(agents) <= 3 else f"{len(agents)} seats"

    def score(self, team: int) -> str:
        """The game's own score where it tells one for each team, else the team's mean return."""
        own = self._launched.watch.shown_score
        if len(own) == len(self.spec.teams):
            return str(own[team])
        agents = self.spec.teams[team]
        mean = sum(self.match.scores[agent] for agent in agents) / len(agents)
        return f"{mean:.0f}" if abs(mean - round(mean)) < 1e-6 else f"{mean:.1f}"

    def moment(self) -> str:
        """How far the match is: its own time, or its moves."""
        return moment_words(self.match)

    def network(self) -> str:
        """How far away remote seats are, and whose answers come late."""
        away = [(agent, _round_trip(controller)) for agent, controller in self.match.mapping.items()]
        words = [f"{agent} {ms:.0f} ms away" for agent, ms in away if ms is not None][:4]
        late = [f"{agent} {count}" for agent, count in self.match.late.items() if count][:4]
        return "  ·  ".join([*words, *(["late ticks: " + ", ".join(late)] if late else [])])


def _round_trip(controller: Controller) -> float | None:
    """Milliseconds of the newest answer of a remote seat, with or without limits; None for others and while silent."""
    remote: Any = getattr(controller, "inner", controller)
    ms = getattr(remote, "rtt_ms", None)
    return None if ms is None or getattr(remote, "silent", False) else float(ms)
