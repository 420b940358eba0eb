"""OpponentDraw: draws the players of the seats that do not learn, by prioritised fictitious self-play.

The caller's loop::

    players = draw.draw("player_0", count, rng)    # agent to numbers of players, one an episode
    draw.report([draw.names[number] for number in players["player_1"]], outcomes)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.matchmaking.pool import Member, Pool
from agents.matchmaking.shares import Weighting, pfsp
from agents.seats.controller import AgentID, Controller, SeatChoice, SeatSpec
from agents.seats.kinds import parse_seat
from agents.snapshots.store import SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from arcade.arguments import ArgumentError
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import choice_limits

POOL = "pool"
"""All snapshots that fit a seat, the game's scripted player, and random play."""

IN_PLAY, IN_PLAY_DRAWS = 8, 256
"""Players that are drawn at a time where each decides for many seats, and the draws until others are."""

Player = str | SeatChoice | Controller | Callable[..., Any]
Opponents = Player | Sequence[Player] | Mapping[Any, Player | Sequence[Player]]
"""Players of the other seats: one, several to draw from, or either by agent id, ``"*"`` for all agents not named."""

Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One episode against one player."""

    opponent: str
    outcome: float  # 1 won, 0.5 drawn, 0 lost


class OpponentDraw:
    """Players by number, the index of `names`; a number stays the same for ever.

    Against each player the win rate is kept, and `weighting` says how players are drawn by it: "uniform", "variance"
    for even matches, "hard" for strong ones.  Snapshots that are saved later join at the next draw.  Raises SeatError
    for a wrong seat word, ArgumentError for a wrong argument.
    """

    def __init__(
        self, spec: GameSpec, places: Sequence[SeatSpec], opponents: Opponents, *, store: SnapshotStore,
        weighting: Weighting = "variance", together: bool = False,
    ) -> None:  # fmt: skip
        """`together`: the players decide for many seats at once: functions and Controllers are refused, and few players
        are drawn for a while, so that each decides for many seats."""
        if weighting not in ("uniform", "variance", "hard"):
            raise ArgumentError(f"expected a weighting uniform, variance or hard, got: {weighting!r}")
        self._spec, self._store, self._weighting, self._together = spec, store, weighting, together
        self._places = {place.agent: place for place in places}
        self.pool = Pool()
        self.own: dict[str, Any] = {}  # functions and Controllers by the names of their players
        self._given = {agent: self._read(agent, opponents) for agent in spec.agents}
        self._seen = -1.0  # when the snapshots' folder had changed at the last look
        self._candidates: dict[AgentID, tuple[str, ...]] = {}
        self._few: dict[tuple[str, ...], tuple[Numbers, int]] = {}  # of these candidates: in play, and draws left
        self._look()

    @property
    def names(self) -> list[str]:
        """The players: seat words, or the names of functions."""
        return [member.name for member in self.pool.members]

    def name(self, number: int) -> str:
        """The player of a number."""
        return self.pool.members[number].name

    def draw(self, seat: AgentID, count: int, rng: np.random.Generator) -> dict[AgentID, Numbers]:
        """Players for `count` episodes of a learner on `seat`: for each other agent numbers, int (count,).

        Seats of one side with the same candidates have the same player.  Raises UserError where none is left.
        """
        self._look()
        own, drawn = self._spec.team_of(seat), dict[tuple[bool, tuple[str, ...]], Numbers]()
        found: dict[AgentID, Numbers] = {}
        for agent in self._spec.agents:
            if agent == seat:
                continue
            key = self._spec.team_of(agent) == own, self._candidates[agent]
            if key not in drawn:
                drawn[key] = self._draw(agent, count, rng)
            found[agent] = drawn[key]
        return found

    def report(self, outcomes: Iterable[Outcome]) -> None:
        """Count outcomes of episodes."""
        self.pool.count(outcomes)

    def drop(self, number: int, error: UserError) -> None:
        """Draw a player of the pool that failed no more; raises `error` for one that was named."""
        name = self.name(number)
        if not self._is_from_pool(name):
            raise error
        self.pool.dropped[name] = str(error)
        self._seen = -1.0

    def rivals(self, seat: AgentID) -> list[AgentID]:
        """The agents of the other teams."""
        team = self._spec.team_of(seat)
        return [agent for agent in self._spec.agents if self._spec.team_of(agent) != team]

    def _draw(self, agent: AgentID, count: int, rng: np.random.Generator) -> Numbers:
        places = np.array([self.pool.index[name] for name in self._candidates[agent]], np.intp)
        if not len(places):
            reasons = "; ".join(f"{name}: {reason}" for name, reason in self.pool.dropped.items())
            raise ArgumentError(f"expected a player for {agent}, got none that works: {reasons}")
        if len(places) == 1:
            return np.full(count, places[0])
        if not self._together:
            return self._draw_by_share(places, rng.random(count))
        return rng.choice(self._in_play(self._candidates[agent], places, count, rng), count)

    def _in_play(self, key: tuple[str, ...], places: Numbers, count: int, rng: np.random.Generator) -> Numbers:
        """The few players that are drawn now, each as often as it has shares of all draws."""
        few, left = self._few.get(key, (places[:0], 0))
        if left <= 0:
            few, left = self._draw_by_share(places, (rng.random() + np.arange(IN_PLAY)) / IN_PLAY), IN_PLAY_DRAWS
        self._few[key] = few, left - count
        return few

    def _draw_by_share(self, places: Numbers, points: NDArray[np.float64]) -> Numbers:
        """A player at each point 0 <= p < 1 of the cumulative shares."""
        bounds = np.cumsum(pfsp(self.pool, places, self._weighting))
        drawn = np.searchsorted(bounds, points * bounds[-1], side="right")
        chosen: Numbers = places[np.minimum(drawn, len(places) - 1)]
        return chosen

    def _look(self) -> None:
        """List the candidates of each seat, anew where the folder of snapshots has changed."""
        try:
            changed = self._store.root.stat().st_mtime
        except OSError:
            changed = 0.0
        if changed == self._seen:
            return
        self._seen = changed
        self._few.clear()
        for agent, players in self._given.items():
            names = [name for word in players for name in (self._fitting(agent) if word == POOL else [word])]
            for name in names:
                self.pool.add(Member(name, "snapshot" if name.startswith("snapshot:") else "fixed"))
            self._candidates[agent] = tuple(n for n in dict.fromkeys(names) if n not in self.pool.dropped)

    def _fitting(self, agent: AgentID) -> list[str]:
        """The players of the pool for a seat."""
        place, words = self._places[agent], ["random"]
        if self._spec.scripted:
            words.insert(0, "scripted")
        try:
            spaces = {name: observation_signature(space) for name, space in place.other_spaces.items()}
            spaces.setdefault("", observation_signature(place.observation_space))
            acts = action_signature(place.action_space)
        except TypeError:  # spaces of several arrays: no snapshot plays there
            return words

        def fits(card: SnapshotCard) -> bool:
            return card.observation == spaces.get(card.obs_type) and card.action == acts

        cards = [card for card in self._store.list(self._spec.id) if card.plays(agent)]
        return [f"snapshot:{card.name}" for card in cards if fits(card)] + words

    def _is_from_pool(self, name: str) -> bool:
        return any(POOL in players and name not in players for players in self._given.values())

    def _read(self, agent: AgentID, opponents: Opponents) -> tuple[str, ...]:
        """The players given for an agent as words and names."""
        if isinstance(opponents, Mapping):
            unknown = [key for key in opponents if key != "*" and str(key) not in map(str, self._spec.agents)]
            if unknown:
                agents = ", ".join(map(str, self._spec.agents))
                raise ArgumentError(f"expected opponents of agents among {agents} or *, got: {unknown[0]!r}")
            by_text = {str(key): players for key, players in opponents.items()}
            opponents = by_text.get(str(agent), by_text.get("*", POOL))
        is_list = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        players: list[Any] = list(opponents) if is_list else [opponents]  # type: ignore[arg-type]
        if not players:
            raise ArgumentError("expected at least one opponent, got none; leave it out for the pool")
        return tuple(self._name(player) for player in players)

    def _name(self, player: Any) -> str:
        if isinstance(player, (str, SeatChoice)):
            return self._word(str(player))
        if not isinstance(player, Controller) and not callable(player):
            raise ArgumentError(f"expected a seat word, a function or a Controller as opponent, got: {player!r}")
        if self._together:
            raise ArgumentError(
                f"expected seat words for opponents of many envs, such as python:module:function, got: {player!r}"
            )
        known = next((name for name, other in self.own.items() if other is player), None)
        name = known or _free_name(getattr(player, "label", getattr(player, "__name__", "function")), self.own)
        self.own[name] = player
        return name

    def _word(self, word: str) -> str:
        if word == POOL:
            return POOL
        choice = parse_seat(word)
        if choice.is_human:
            raise ArgumentError(f"expected opponents that need no person, got: {word!r}; try level:normal")
        choice_limits(choice, self._spec)
        return word


def _free_name(wanted: str, taken: Mapping[str, Any]) -> str:
    names = (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)
