"""OpponentEnv: one seat of a game as a Gymnasium env; other players take the rest of the seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.errors import UserError
from agents.seats.controller import Action, ActionMask, AgentID
from agents.snapshots.store import SnapshotStore
from agents.spaces import conform
from arcade.arguments import ArgumentError
from arcade.games.spec import GameSpec
from arcade.learning.opponents import OpponentDraw, Opponents, Outcome
from arcade.learning.seats import OpponentSeats
from arcade.match.play.result import placements
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Frame, Tick

ILLEGAL = -1.0
"""Reward of an illegal action, which ends the episode as a loss, as PettingZoo's TerminateIllegalWrapper does."""

MOST_STARTS = 100
"""Episodes that may end before the learner's first turn, one after another."""


class OpponentEnv(gymnasium.Env[Any, Any]):
    """`reset` draws the players of all other seats; `step` plays until the learner's next turn.

    Observations are the env's own without the action mask, which is in ``info["action_mask"]`` and `action_masks`.  A
    reward is the sum of the learner's rewards until its next turn.  Info has "opponents" (agent id to player) and
    "seat" after a reset, "outcome" (1 won, 0.5 drawn, 0 lost) at the end of an episode.
    """

    def __init__(
        self, spec: GameSpec, seats: tuple[AgentID, ...], opponents: Opponents, *, store: SnapshotStore,
        seed: int | None = None, weighting: Any = "variance", max_ticks: int | None = None,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """`seats`: the learner's, drawn at each reset where there are several."""
        modes = ["rgb_array"] if spec.render_mode == "rgb_array" and not spec.table else []
        if render_mode is not None and render_mode not in modes:
            raise ArgumentError(
                f"expected a render_mode of {modes or 'None alone'} for {spec.id}, got: {render_mode!r}"
            )
        self.metadata = {"render_modes": modes, "render_fps": spec.fps}
        self.render_mode, self.game, self.seats = render_mode, spec, seats
        self._first_seed, self._max_ticks = seed, max_ticks
        self._stage = LocalStage(spec, drawable=render_mode is not None, checked=False)
        check_alike(spec, seats, self._stage.spaces)
        self.observation_space, self.action_space = self._stage.spaces[seats[0]]
        places = [self._stage.seat(agent) for agent in spec.agents]
        self.opponents = OpponentDraw(spec, places, opponents, store=store, weighting=weighting)
        self._players = OpponentSeats(spec, places, self.opponents.own, store=store)
        self._names: dict[AgentID, str] = {}  # of the players
        self.seat = seats[0]
        self._tick: Tick | None = None  # the newest
        self._seen: Any = None  # the learner's newest observation
        self._returns: dict[AgentID, float] = {}
        self._reward = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; raises UserError where a player or the game fails."""
        super().reset(seed=self._first_seed if seed is None else seed)
        self._first_seed = None
        for _ in range(MOST_STARTS):
            self._begin()
            if self._is_due:
                info = self._info()
                info |= {"seat": self.seat, "opponents": dict(self._names)}
                return self._observation(), info
        raise ArgumentError(f"expected a turn of {self.seat} in {self.game.id}, got {MOST_STARTS} episodes without one")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and on until its next turn or the end."""
        tick = self._tick
        if tick is None or not self._is_due:
            raise gymnasium.error.ResetNeeded("expected reset() before the first step and after the end, got step()")
        mask = tick.action_masks.get(self.seat)
        action = self._legal(action, mask)
        if action is None:
            return self._lose()
        self._reward = 0.0
        self._advance({self.seat: action, **self._players.act(tick)})
        self._play_until_due()
        terminated = truncated = False
        info = self._info()
        if not self._is_due:
            ends, is_cut = self._ending()
            terminated, truncated = ends and not is_cut, is_cut
            info["outcome"] = self._finish()
        return self._observation(), self._reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions now, bool (n,), by the name that masked algorithms ask for; all True without a mask."""
        mask = self._tick.action_masks.get(self.seat) if self._tick else None
        if mask is not None:
            return np.asarray(mask, np.bool_)
        if not isinstance(self.action_space, spaces.Discrete):
            raise ArgumentError(f"expected a Discrete action space for action masks, got: {self.action_space}")
        return np.ones(int(self.action_space.n), np.bool_)

    def render(self) -> Frame | None:  # type: ignore[override]
        """The game's picture, uint8 (rows, columns, 3); None without a render mode."""
        return self._stage.look().frame if self.render_mode and self._tick else None

    def close(self) -> None:
        self._players.close()
        self._stage.close()

    @property
    def _is_due(self) -> bool:
        """Whether the learner is to act."""
        return self._tick is not None and self.seat in self._tick.acting and not self._is_cut

    @property
    def _is_cut(self) -> bool:
        """Whether the tick limit ends the match."""
        return self._max_ticks is not None and self._tick is not None and self._tick.index >= self._max_ticks

    def _begin(self) -> None:
        """Begin an episode, up to the learner's first turn."""
        self.seat = self.seats[int(self.np_random.integers(len(self.seats)))] if len(self.seats) > 1 else self.seats[0]
        self._seat_players()
        seed = int(self.np_random.integers(2**31))
        self._players.begin(seed)
        self._stage.obs_types = self._players.obs_types
        self._returns, self._reward = dict.fromkeys(self.game.agents, 0.0), 0.0
        self._seen = None
        self._stage.reset(seed)
        self._take(self._stage.wait())
        self._play_until_due()

    def _seat_players(self) -> None:
        """Draw the players; one of the pool that cannot play is drawn no more."""
        while True:
            self._players.leave()
            self._names = {}
            for agent, numbers in self.opponents.draw(self.seat, 1, self.np_random).items():
                number = int(numbers[0])
                try:
                    self._players.seat(agent, self.opponents.name(number))
                except UserError as error:
                    self.opponents.drop(number, error)
                    break
                self._names[agent] = self.opponents.name(number)
            else:
                return

    def _play_until_due(self) -> None:
        while self._tick is not None and not self._is_due and not self._is_over:
            self._advance(self._players.act(self._tick))

    @property
    def _is_over(self) -> bool:
        """Whether the learner's episode is over: its seat's, or the match's."""
        tick = self._tick
        return tick is None or tick.over or self._is_cut or self.seat in tick.ended

    def _advance(self, actions: Mapping[AgentID, Action]) -> None:
        self._stage.step(actions)
        self._take(self._stage.wait())

    def _take(self, tick: Tick) -> None:
        self._tick = tick
        for agent, reward in tick.rewards.items():
            self._returns[agent] += reward
        self._reward += float(tick.rewards.get(self.seat, 0.0))
        self._players.count(tick)
        if self.seat in tick.observations:
            self._seen = tick.observations[self.seat]

    def _observation(self) -> Any:
        """The newest observation as an element of the space."""
        space = self.observation_space
        if isinstance(space, spaces.Box | spaces.MultiBinary | spaces.MultiDiscrete):
            return np.asarray(self._seen, space.dtype)
        return self._seen

    def _info(self) -> dict[str, Any]:
        mask = self._tick.action_masks.get(self.seat) if self._tick else None
        return {} if mask is None else {"action_mask": np.asarray(mask, np.int8)}

    def _legal(self, action: Any, mask: ActionMask | None) -> Action | None:
        """The action as the env takes it, None for one that the mask forbids; raises ValueError for any other."""
        action = conform(action, self.action_space)
        return None if mask is not None and not mask[action - int(getattr(self.action_space, "start", 0))] else action

    def _ending(self) -> tuple[bool, bool]:
        """Whether the learner's episode was terminated, and whether it was cut off."""
        tick = self._tick
        assert tick is not None
        if self._is_cut and not tick.over and self.seat not in tick.ended:
            return False, True
        cut = bool(tick.truncations.get(self.seat)) and not tick.terminations.get(self.seat)
        return True, cut

    def _lose(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """End the episode after an illegal action."""
        info = self._info() | {"outcome": 0.0, "illegal": True}
        self._report(0.0)
        self._tick = None
        return self._observation(), ILLEGAL, True, False, info

    def _finish(self) -> float:
        """Play the match to its end, where others of several teams still play; return and report its outcome."""
        reward = self._reward
        if len(self.game.teams) > 1:
            while self._tick is not None and not self._tick.over and not self._is_cut:
                self._advance(self._players.act(self._tick))
        self._reward = reward
        outcome = self._outcome()
        self._report(outcome)
        self._tick = None
        return outcome

    def _outcome(self) -> float:
        score = self._tick.score if self._tick else ()
        places = placements(self.game, self._returns, score)
        rivals = self.opponents.rivals(self.seat)
        if not rivals:
            return 0.5
        own, best = places[str(self.seat)], min(places[str(agent)] for agent in rivals)
        return 0.5 + 0.5 * ((own < best) - (own > best))

    def _report(self, outcome: float) -> None:
        rivals = dict.fromkeys(self._names[agent] for agent in self.opponents.rivals(self.seat))
        self.opponents.report(Outcome(name, outcome) for name in rivals)


def check_alike(spec: GameSpec, seats: tuple[AgentID, ...], known: Mapping[AgentID, tuple[Any, Any]]) -> None:
    """Raise ArgumentError unless all `seats` have equal spaces."""
    other = [agent for agent in seats if known[agent] != known[seats[0]]]
    if other:
        raise ArgumentError(
            f"expected seats that see and do alike in {spec.id}, got: {seats[0]} and {other[0]}; name one seat"
        )
