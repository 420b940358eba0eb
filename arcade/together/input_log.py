"""InputLog: the sealed inputs of a match, the same for all; OwnInputs: those of this machine's seats, sent ahead."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from agents.seats.controller import Action, AgentID
from agents.spaces import conform
from arcade.together.messages import MAX_TICKS, Foretold, Input, Ticks

Inputs = Mapping[AgentID, Action]
"""The actions of one tick by seat."""

MAX_DELAY = 15
"""Ticks: a quarter of a second at 60 a second; behind a slower network the match itself slows down."""

MAX_AHEAD = 256
"""Ticks beyond the sealed ones for which inputs are held."""

SENT_BYTES = 2**19
"""Rough bytes of the inputs in one message."""


class InputLog:
    """The inputs of ticks 0, 1, 2 …: ``log[t]`` leads from tick t to tick t + 1."""

    def __init__(self, agents: Sequence[AgentID]) -> None:
        self._agents = tuple(agents)
        self._places = {agent: place for place, agent in enumerate(self._agents)}
        self._ticks: list[Inputs] = []

    def __len__(self) -> int:
        return len(self._ticks)

    def __getitem__(self, tick: int) -> Inputs:
        return self._ticks[tick]

    def keep(self, count: int) -> None:
        """Forget the ticks from `count` on."""
        del self._ticks[count:]

    def append(self, inputs: Inputs) -> None:
        """Seal the next tick."""
        self._ticks.append(inputs)

    def message(self, first: int, most: int = MAX_TICKS) -> Ticks:
        """The sealed inputs from a tick on, `most` at most and as many as one message holds."""
        packed, size = list[list[Any]](), 0
        for inputs in islice(self._ticks, first, first + most):
            size += sum(16 + int(getattr(action, "nbytes", 0)) for action in inputs.values())
            if size > SENT_BYTES and packed:
                break
            packed.append([part for agent, action in inputs.items() for part in (self._places[agent], action)])
        return Ticks(first=first, inputs=packed)

    def take(
        self, message: Ticks, spaces: Mapping[AgentID, tuple[Any, Any]],
        agrees: Callable[[int, Inputs], bool] = lambda tick, inputs: True,
    ) -> None:  # fmt: skip
        """Add what is new in a message, up to the first tick whose inputs do not agree with what is known here.

        Raises ValueError for inputs that are none of this game.
        """
        for index, packed in enumerate(message.inputs, message.first):
            if index == len(self._ticks):
                inputs = self._unpacked(packed, spaces)
                if not agrees(index, inputs):
                    return
                self._ticks.append(inputs)

    def _unpacked(self, packed: Sequence[Any], spaces: Mapping[AgentID, tuple[Any, Any]]) -> Inputs:
        found: dict[AgentID, Action] = {}
        for place, action in zip(packed[::2], packed[1::2], strict=True):
            if type(place) is not int or not 0 <= place < len(self._agents):
                raise ValueError(f"expected a seat 0 to {len(self._agents) - 1}, got: {place!r:.40}")
            agent = self._agents[place]
            found[agent] = conform(action, spaces[agent][1])
        return found


class OwnInputs:
    """The inputs of this machine's `agents`, until they are sealed: of every tick, or in turns of some."""

    def __init__(self, agents: Iterable[AgentID], send: Callable[[Input], None], *, turn_based: bool = False) -> None:
        self.agents = tuple(agents)
        self._turns = turn_based
        self.delay = 0  # ticks from the decision to the tick that it is for
        self.next = 0  # the first tick without an input
        self._send = send
        self._unsealed: dict[int, Inputs] = {}
        self._until: dict[AgentID, int] = {}  # the first tick of a seat that another machine decides

    def enter(self, agent: AgentID, tick: int) -> None:
        """Decide that seat, too, from a tick on, before which this machine decides none."""
        if agent not in self.agents:
            self.agents, self.next = (*self.agents, agent), max(self.next, tick)
        elif not self._unsealed:
            self.next = tick  # the handover was put forward

    def leave(self, agent: AgentID, tick: int) -> None:
        """Decide that seat up to a tick, and no longer from there on."""
        self._until[agent] = tick
        self._drop_left()

    def _drop_left(self) -> None:
        self.agents = tuple(agent for agent in self.agents if self._until.get(agent, self.next + 1) > self.next)

    def adapt(self, wanted: float, *, most: int = MAX_DELAY) -> None:
        """Choose the delay nearest to what is wanted, from 0 to `most` ticks.

        It grows at once, and shrinks a tick at a time once it is clearly too long, so that it does not swing.
        """
        wanted = 0.0 if self._turns else min(wanted, most)
        if round(wanted) > self.delay:
            self.delay = round(wanted)
        elif wanted < self.delay - 0.75:
            self.delay -= 1

    def needs(self, tick: int) -> bool:
        """Whether an input is to be decided at `tick`."""
        return bool(self.agents) and tick + self.delay >= self.next

    def fill(self, tick: int, actions: Inputs) -> None:
        """Decide at `tick`: `actions` are the inputs of all ticks up to ``tick + delay`` that have none."""
        ticks = range(tick if self._turns else self.next, tick + self.delay + 1)
        if ticks:
            for at in ticks:
                own = {agent: one for agent, one in actions.items() if at < self._until.get(agent, at + 1)}
                self._unsealed[at] = own
            self.next = ticks.stop
            self._send(self._input(ticks, actions))
            self._drop_left()

    def _input(self, ticks: range, agents: Iterable[AgentID]) -> Input:
        """The inputs of these ticks; of a seat that was left those before that."""
        seats = {
            str(agent): [self._unsealed[tick][agent] for tick in ticks if agent in self._unsealed[tick]]
            for agent in agents
        }
        return Input(tick=ticks.start, seats={word: actions for word, actions in seats.items() if actions})

    def at(self, tick: int) -> Inputs:
        """The inputs of a tick that is not sealed yet; {} for none."""
        return self._unsealed.get(tick, {})

    def recent(self, count: int) -> Input | None:
        """The newest inputs that are not sealed, of `count` ticks at most; None without any."""
        ticks = range(max(self.next - count, min(self._unsealed, default=self.next)), self.next)
        if not ticks or any(tick not in self._unsealed for tick in ticks):
            return None
        return self._input(ticks, self._unsealed[ticks.start])

    def sealed(self, tick: int) -> None:
        """Forget the inputs before `tick`, which all machines have."""
        for known in [one for one in self._unsealed if one < tick]:
            del self._unsealed[known]

    def send_again(self, first: int) -> None:
        """Send all inputs from `first` on: the host, or the connection to it, may have lost them."""
        for tick in sorted(one for one in self._unsealed if one >= first):
            actions = self._unsealed[tick]
            self._send(Input(tick=tick, seats={str(agent): [action] for agent, action in actions.items()}))

    def continue_from(self, first: int) -> None:
        """Send the inputs from `first` on to another host; what is not known is decided anew."""
        if any(tick not in self._unsealed for tick in range(first, self.next)):
            self._unsealed = {tick: one for tick, one in self._unsealed.items() if tick < first}
            self.next = first
        self.send_again(first)

    def resume(self, first: int) -> None:
        """Continue where an earlier process of this machine ended: the host has its inputs before `first`."""
        self.next = max(self.next, first)


class PendingInputs:
    """The inputs of ticks that are not sealed yet, as far as they have come."""

    def __init__(self, agents: Sequence[AgentID], log: InputLog) -> None:
        self._agents = {str(agent): agent for agent in agents}
        self._log = log
        self._ticks: dict[int, dict[AgentID, Action]] = {}

    def at(self, tick: int) -> Inputs:
        """The inputs of a tick; {} for none."""
        return self._ticks.get(tick, {})

    def add(
        self, message: Input | Foretold, spaces: Mapping[AgentID, tuple[Any, Any]], *, of: Container[AgentID]
    ) -> dict[int, dict[AgentID, Action]]:
        """Add the first input of each seat and tick that comes; returns those of the message that are held now.

        Raises ValueError for inputs that are none of the game, or of other seats than `of`.
        """
        first, checked = len(self._log), dict[int, dict[AgentID, Action]]()
        for word, actions in message.seats.items():
            agent = self._agents.get(word)
            if agent is None or agent not in of:
                raise ValueError(f"expected inputs of its own seats, got one of {word!r:.40}")
            for tick, action in enumerate(actions, message.tick):
                if first <= tick < first + MAX_AHEAD:
                    held = self._ticks.get(tick, {})
                    known = held[agent] if agent in held else conform(action, spaces[agent][1])
                    self._ticks.setdefault(tick, held)[agent] = checked.setdefault(tick, {})[agent] = known
        return checked

    def sealed(self) -> None:
        """Forget the ticks that are sealed."""
        for tick in [one for one in self._ticks if one < len(self._log)]:
            del self._ticks[tick]


def foretold(checked: Mapping[int, Inputs], *, since: int = 0) -> Foretold | None:
    """The message that tells others of inputs, which were checked, of tick `since` and later; None for none."""
    ticks = sorted(tick for tick in checked if tick >= since)
    if not ticks:
        return None
    seats = {
        str(agent): [checked[tick][agent] for tick in ticks if agent in checked[tick]] for agent in checked[ticks[0]]
    }
    return Foretold(tick=ticks[0], seats=seats)


def as_plain(action: Action) -> Action:
    """An action as it travels: a numpy number as a number."""
    return action.item() if isinstance(action, np.generic) else action
