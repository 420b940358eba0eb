"""Records of a match's seats: rewards, late actions, last actions, and the changes of controllers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agents.seats.controller import Action, AgentID
from arcade.match.play.result import SeatChange
from arcade.match.stage.tick import Tick


@dataclass(slots=True)
class SeatTotals:
    """Sums over one episode; `copy` before a moment that may be gone back to."""

    scores: dict[AgentID, float]  # sums of rewards
    pending: dict[AgentID, float]  # reward since the seat's last turn
    late: dict[AgentID, int]  # ticks at which the seat had no answer
    alive: set[AgentID]
    last: dict[AgentID, Action] = field(default_factory=dict)  # each seat's last action

    @classmethod
    def of(cls, agents: Sequence[AgentID]) -> SeatTotals:
        return cls(dict.fromkeys(agents, 0.0), dict.fromkeys(agents, 0.0), dict.fromkeys(agents, 0), set(agents))

    def copy(self) -> SeatTotals:
        return SeatTotals(dict(self.scores), dict(self.pending), dict(self.late), set(self.alive), dict(self.last))

    def add_rewards(self, tick: Tick) -> None:
        """Raises KeyError with an agent that has no seat."""
        scores, pending = self.scores, self.pending
        for agent, reward in tick.rewards.items():
            if reward:
                scores[agent] += reward
                pending[agent] += reward

    def take_reward(self, agent: AgentID) -> float:
        """The reward since the seat's last turn, counted anew from now on."""
        pending, self.pending[agent] = self.pending[agent], 0.0
        return pending


class SeatLog:
    """The labels that the controllers had at their first answers, and every change since."""

    def __init__(self) -> None:
        self.lineup: dict[str, str] = {}
        self.changes: list[SeatChange] = []
        self._labels: dict[AgentID, str] = {}  # of each seat at its newest answer; none after a replacement

    def is_news(self, agent: AgentID, label: str) -> bool:
        """Whether an answer under this label is to be noted."""
        return label is not self._labels.get(agent)

    def replace(self, agent: AgentID, change: SeatChange) -> None:
        """Another controller took the seat."""
        self.changes.append(change)
        self._labels.pop(agent, None)

    def rewind(self, tick: int) -> list[SeatChange]:
        """Move the changes after `tick` to it, since the controllers stay; returns what moved."""
        later = [change for change in self.changes if change.tick > tick]
        left = {change.agent: change.left for change in reversed(later)}  # by the controller that sat there at `tick`
        newest = {change.agent: change for change in later}
        moved = [replace(change, tick=tick, left=left[agent]) for agent, change in newest.items()]
        self.changes = [change for change in self.changes if change.tick <= tick] + moved
        return moved

    def answered(self, agent: AgentID, label: str, *, tick: int) -> SeatChange | None:
        """Note the label: a remote knows its policy only now, and any controller may change it in mid-match."""
        known, self._labels[agent] = self._labels.get(agent), label
        if known is None:
            self._name_newest(str(agent), label)
        elif known != label:
            change = SeatChange(tick=tick, agent=str(agent), label=label)
            self.changes.append(change)
            return change
        return None

    def _name_newest(self, agent: str, label: str) -> None:
        """Correct the label under which the seat's controller sat down."""
        for at in reversed(range(len(self.changes))):
            if self.changes[at].agent == agent:
                self.changes[at] = replace(self.changes[at], label=label)
                return
        self.lineup[agent] = label
