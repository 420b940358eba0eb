"""A vectorised env of house/volley in numpy, with the only implementation of its physics.

A caller's loop::

    batch = VolleyBatch(1024)
    observations = batch.reset(np.arange(1024))
    while training:
        observations, rewards, terminations, truncations = batch.step(choose(observations))
        over = np.flatnonzero(terminations | truncations)
        observations[over] = batch.reset_games(over, new_seeds)

A game depends on its own seed and actions alone, bit for bit: only operations that IEEE 754 rounds correctly are used
(no sums over games, no sin, no hypot), and random numbers are a function of seed and rally.  Numbers are float64
inside, float32 in observations.

Updates of all games work on whole rows with ``out=``; rare ones (hits, bounces, points, serves) on columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from arcade.games.house import volley_rules as rules
from arcade.games.house.volley_rules import Floats

Columns = NDArray[np.intp]
"""Numbers of games."""

_WALL_X = rules.HALF_COURT - rules.BALL_RADIUS
_NET_X = rules.NET_RADIUS + rules.BALL_RADIUS
_BLAS_BLOCK = 200_000  # multiplications; OpenBLAS starts threads from 262,144
_SPEED_STEP = rules.PLAYER_ACCELERATION * rules.TICK

_STATE = (
    "_rows", "_counters", "events", "landings", "_ball_left", "_left_serves", "_launch_vx", "_launch_vy", "_keys",
    "_rallies", "_over", "_won", "_ball_fall",
)  # fmt: skip
"""The arrays of what a game is from one tick to the next; their last axis is that of the games."""


class VolleyBatch:
    """`games` games stepped together.  A finished game stays as it is until it is reset.

    Raises ValueError for settings or arrays of the wrong shape or range.
    """

    def __init__(
        self,
        games: int,
        *,
        team_size: int = 1,
        max_ticks: int = rules.MAX_TICKS,
        points: int = rules.POINTS,
        seeds: Sequence[int] | NDArray[Any] | None = None,
    ) -> None:
        rules.check_choices(team_size=team_size, max_ticks=max_ticks, points=points)
        if games < 1:
            raise ValueError(f"expected games of at least 1, got: {games!r}")
        self.games, self.team_size, self.max_ticks, self.points = games, team_size, max_ticks, points
        self.agents = rules.agent_names(team_size)
        bounds = rules.observation_bounds(team_size)
        self.observation_space = gymnasium.spaces.Box(-bounds, bounds, dtype=np.float32)
        self.action_space: gymnasium.spaces.Discrete[Any] = gymnasium.spaces.Discrete(rules.ACTIONS)
        self._allocate(games, players=2 * team_size)
        self._prepare(games, players=2 * team_size)
        self._observe_matrix = rules.observe_matrix(team_size)
        self.reset(np.arange(games) if seeds is None else seeds)

    def _allocate(self, games: int, *, players: int) -> None:
        """Make the arrays of the games' state."""
        self._rows: Floats = np.zeros((4 * (players + 1) + 1, games))
        self.bodies: Floats = self._rows[:-1].reshape(4, players + 1, games)
        """float64, (x y vx vy, players then ball, games), in metres and metres a second, as the spectators see them."""
        self.clock: Floats = self._rows[-1]
        """float64, (games,): ticks until the side with the ball loses the rally; above HOLD_TICKS: before the serve."""
        self._counters = np.zeros((3, games), np.int64)
        self.scores = self._counters[:2]
        """int64, (left right, games)."""
        self.ticks = self._counters[2]
        self.events = np.zeros(games, np.int8)
        """int8, (games,): the newest tick's largest of NO_EVENT, BOUNCE, HIT and POINT."""
        self.landings = np.zeros(games)
        """float64, (games,): x at which the last rally ended."""
        self._ball = tuple(self.bodies[:, -1])  # the ball's x, y, vx, vy, each (games,)
        self._ball_left, self._left_serves = np.zeros((2, games), np.bool_)
        self._launch_vx, self._launch_vy = np.zeros((2, games))
        self._keys, self._rallies = np.zeros((2, games), np.uint64)
        self._over, self._won = np.zeros((2, games), np.bool_)
        self._ball_fall = np.zeros(games)  # speed that the ball loses a tick: none before the serve

    def _prepare(self, games: int, *, players: int) -> None:
        """Make the tables and scratch arrays of a tick."""
        homes = np.array(rules.HOMES[players // 2])
        start = np.zeros((4, players + 1))
        start[0, :-1], start[1, :-1] = np.concatenate([-homes, homes]), rules.PLAYER_RADIUS
        self._start = np.append(start, 0.0)[:, None]
        side = np.repeat([-1.0, 1.0], players // 2)[:, None]
        inner, outer = rules.NET_RADIUS + rules.PLAYER_RADIUS, rules.HALF_COURT - rules.PLAYER_RADIUS
        self._x_low = np.where(side < 0, -outer, inner)
        self._x_high = np.where(side < 0, -inner, outer)
        # Wanted speeds by action; first six for the left team, then six for the right one.
        moves = np.array([0.0, -1.0, 1.0, 0.0, -1.0, 1.0]) * rules.PLAYER_SPEED
        self._speeds = np.concatenate([moves, -moves])
        self._speed_offset = np.repeat([0, rules.ACTIONS], players // 2)[:, None]
        self._speed_index = np.zeros((players, games), np.intp)
        self._rally_rewards = np.repeat(np.array([[1, -1], [-1, 1]], np.float32), players // 2, axis=1)
        self._a, self._b = np.zeros((2, players, games))
        self._flags, self._more_flags = np.zeros((2, players, games), np.bool_)
        self._travel = np.zeros((2, players + 1, games))
        self._line = np.zeros(games)
        self._flag, self._more = np.zeros((2, games), np.bool_)

    # -- resetting

    def reset(self, seeds: Sequence[int] | NDArray[Any]) -> NDArray[np.float32]:
        """Restart every game i from ``seeds[i]`` and return all observations, (games, agents, size)."""
        self._begin(np.arange(self.games), seeds)
        return self.observe()

    def reset_games(
        self, which: Sequence[int] | NDArray[Any], seeds: Sequence[int] | NDArray[Any]
    ) -> NDArray[np.float32]:
        """Restart the games `which` (indices, or a bool mask) and return their observations, (seeds, agents, size)."""
        chosen = np.asarray(which)
        columns = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.intp)
        self._begin(columns, seeds)
        return self._observe(self._rows[:, columns])

    def _begin(self, columns: Columns, seeds: Sequence[int] | NDArray[Any]) -> None:
        given = self._checked_seeds(columns, seeds)
        self._rows[:, columns] = self._start
        self._counters[:, columns] = 0
        self.events[columns] = rules.NO_EVENT
        self._over[columns] = self._won[columns] = False
        self._rallies[columns] = 0
        self._keys[columns] = keys = rules.game_keys(given)
        self._left_serves[columns] = rules.roll(keys, np.uint64(0)) & np.uint64(1)
        self._serve(columns)

    def put_games(self, games: Columns, other: VolleyBatch, others: Columns) -> None:
        """Copy the games `others` of another engine with the same settings to the places `games` of this one."""
        for name in _STATE:
            getattr(self, name)[..., games] = getattr(other, name)[..., others]

    def _checked_seeds(self, columns: Columns, seeds: Sequence[int] | NDArray[Any]) -> NDArray[np.uint64]:
        given = np.asarray(seeds)
        if given.shape != columns.shape:
            raise ValueError(f"expected {columns.size} seeds, one a game, got: an array of shape {given.shape}")
        if not columns.size:
            return given.astype(np.uint64)
        if given.dtype.kind not in "iu" or given.min() < 0:
            raise ValueError(f"expected seeds as whole numbers of at least 0, got: {given.dtype} {given.min()!r}")
        if columns.view(np.uintp).max() >= self.games:  # a negative number is a huge unsigned one
            raise ValueError(f"expected games of 0 to {self.games - 1}, got: {columns.min()} to {columns.max()}")
        return given.astype(np.uint64)

    def _serve(self, columns: Columns) -> None:
        """Begin a rally with the ball above the serving side."""
        self._rallies[columns] += np.uint64(1)
        place, launch_vx, launch_vy = rules.serve_numbers(rules.roll(self._keys[columns], self._rallies[columns]))
        left = self._left_serves[columns]
        self._left_serves[columns] = ~left
        self._ball_left[columns] = left
        x, y, vx, vy = self._ball
        x[columns] = np.where(left, -place, place)
        y[columns] = rules.SERVE_Y
        vx[columns] = vy[columns] = self._ball_fall[columns] = 0.0
        self._launch_vx[columns], self._launch_vy[columns] = launch_vx, launch_vy
        self.clock[columns] = rules.HOLD_TICKS + rules.SERVE_TICKS

    # -- one tick

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Advance every game by one tick; `actions` are whole numbers 0 to 5, (games, agents).

        Returns observations float32 (games, agents, size), rewards float32 (games, agents), terminations and
        truncations bool (games,).  A finished game stays as it is, with reward 0.
        """
        moves = self._checked(actions)
        still = np.flatnonzero(self._over)
        frozen = self._rows[:, still] if still.size else None
        self.events.fill(rules.NO_EVENT)
        self._move_players(moves)
        self._fly()
        self._hit()
        self._bounce()
        if frozen is not None:
            self._rows[:, still] = frozen
            self.events[still] = rules.NO_EVENT
        rewards = self._score(still)
        truncations = self._count_ticks(still)
        return self.observe(), rewards, self._won.copy(), truncations

    def _checked(self, actions: NDArray[Any]) -> NDArray[Any]:
        given = np.asarray(actions)
        if given.shape != (self.games, len(self.agents)) or given.dtype.kind not in "iu":
            raise ValueError(
                f"expected whole numbers in the shape (games, agents) = ({self.games}, {len(self.agents)}), "
                f"got: {given.dtype} {given.shape}"
            )
        moves = given.astype(np.int64, copy=False).T
        if moves.view(np.uint64).max() >= rules.ACTIONS:  # a negative number is a huge unsigned one
            wrong = moves[(moves < 0) | (moves >= rules.ACTIONS)][0]
            raise ValueError(f"expected 0 <= action < {rules.ACTIONS}, got: {wrong}")
        return moves

    def _move_players(self, moves: NDArray[np.int64]) -> None:
        """Set the players' speeds: sideways by acceleration, upwards at once from the ground."""
        _, y, vx, vy = self.bodies[:, :-1]
        np.add(moves, self._speed_offset, out=self._speed_index)
        change = np.take(self._speeds, self._speed_index, out=self._a, mode="clip")
        np.subtract(change, vx, out=change)
        np.minimum(change, _SPEED_STEP, out=change)
        np.maximum(change, -_SPEED_STEP, out=change)
        np.add(vx, change, out=vx)
        jumps = np.greater_equal(moves, 3, out=self._flags)
        grounded = np.equal(y, rules.PLAYER_RADIUS, out=self._more_flags)
        np.logical_and(jumps, grounded, out=jumps)
        np.copyto(vy, rules.JUMP_SPEED, where=jumps)

    def _fly(self) -> None:
        """Serve when it is time, move all bodies by one tick, keep the players on their side and above the ground."""
        np.subtract(self.clock, 1.0, out=self.clock)
        served = np.equal(self.clock, rules.HOLD_TICKS, out=self._flag)
        if (columns := served.nonzero()[0]).size:
            _, _, vx, vy = self._ball  # throw the waiting ball up
            vx[columns], vy[columns] = self._launch_vx[columns], self._launch_vy[columns]
            self._ball_fall[columns] = rules.BALL_GRAVITY * rules.TICK
        player_vy, ball_vy = self.bodies[3, :-1], self.bodies[3, -1]
        np.subtract(player_vy, rules.PLAYER_GRAVITY * rules.TICK, out=player_vy)
        np.subtract(ball_vy, self._ball_fall, out=ball_vy)
        np.multiply(self.bodies[2:], rules.TICK, out=self._travel)
        np.add(self.bodies[:2], self._travel, out=self.bodies[:2])
        x, y, vx, vy = self.bodies[:, :-1]
        landed = np.less_equal(y, rules.PLAYER_RADIUS, out=self._flags)
        np.copyto(y, rules.PLAYER_RADIUS, where=landed)
        np.copyto(vy, 0.0, where=landed)
        inside = np.minimum(x, self._x_high, out=self._a)
        np.maximum(inside, self._x_low, out=inside)
        stopped = np.not_equal(inside, x, out=self._flags)
        np.copyto(x, inside)
        np.copyto(vx, 0.0, where=stopped)

    def _hit(self) -> None:
        """Bounce balls off players."""
        players, ball = self.bodies[:2, :-1], self.bodies[:2, -1:]
        dx = np.subtract(ball[0], players[0], out=self._a)
        dy = np.subtract(ball[1], players[1], out=self._b)
        np.multiply(dx, dx, out=dx)
        np.multiply(dy, dy, out=dy)
        np.add(dx, dy, out=dx)
        touches = np.less(dx, rules.REACH * rules.REACH, out=self._flags)
        touched = np.logical_or.reduce(touches, axis=0, out=self._flag)
        if (columns := touched.nonzero()[0]).size:
            bodies = self._rows[:-1].take(columns, axis=1).reshape(4, -1, columns.size)
            for row, struck in zip(self._ball, rules.struck_balls(bodies, touches.take(columns, axis=1)), strict=True):
                row[columns] = struck
            self.events[columns] = rules.HIT

    def _bounce(self) -> None:
        """Bounce balls off the walls and the net."""
        x, y, _, _ = self._ball
        distance = np.abs(x, out=self._line)
        beyond = np.greater(distance, _WALL_X, out=self._flag)
        if (columns := beyond.nonzero()[0]).size:
            self._bounce_off_wall(columns)
        near = np.less(distance, _NET_X, out=self._flag)
        low = np.less(y, rules.NET_TOP + _NET_X, out=self._more)
        if (columns := np.logical_and(near, low, out=near).nonzero()[0]).size:
            self._bounce_off_net(columns)

    def _bounce_off_wall(self, columns: Columns) -> None:
        x, _, vx, _ = self._ball
        at = x[columns]
        x[columns] = np.copysign(2 * _WALL_X - np.abs(at), at)
        vx[columns] = -np.copysign(np.abs(vx[columns]) * rules.WALL_RESTITUTION, at)
        self._note_bounce(columns)

    def _bounce_off_net(self, columns: Columns) -> None:
        """Treat the net as a wall below its top, and as a round cap above."""
        x, y, vx, _ = self._ball
        under = y[columns] <= rules.NET_TOP
        low = columns[under]
        if low.size:
            side = np.where(self._ball_left[low], -1.0, 1.0)
            inside, speed = x[low] * side < _NET_X, vx[low] * side
            x[low] = np.where(inside, _NET_X * side, x[low])
            back = inside & (speed < 0)
            vx[low] = np.where(back, speed * -rules.NET_RESTITUTION, speed) * side
            self._note_bounce(low[back])
        if low.size < columns.size:
            self._bounce_off_cap(columns[~under])

    def _bounce_off_cap(self, columns: Columns) -> None:
        x, y, vx, vy = (row[columns] for row in self._ball)
        over = y - rules.NET_TOP
        distance = np.sqrt(x * x + over * over)
        nx, ny = x / distance, over / distance
        depth = np.maximum(_NET_X - distance, 0.0)
        speed = np.where(depth > 0, np.minimum(vx * nx + vy * ny, 0.0), 0.0)
        change = speed * -(1 + rules.NET_RESTITUTION)
        for row, part in zip(self._ball, (depth * nx, depth * ny, change * nx, change * ny), strict=True):
            row[columns] += part
        self._note_bounce(columns[speed < 0])

    def _note_bounce(self, columns: Columns) -> None:
        self.events[columns] = np.maximum(self.events[columns], rules.BOUNCE)  # a hit in the same tick stays a hit

    # -- scoring

    def _score(self, still: Columns) -> NDArray[np.float32]:
        """Reset the clock of balls that cross the net, end lost rallies, and return rewards."""
        rewards = np.zeros((self.games, len(self.agents)), np.float32)
        x, y, _, _ = self._ball
        ball_left = np.less(x, 0.0, out=self._flag)
        crossed = np.not_equal(ball_left, self._ball_left, out=self._more)
        if (columns := crossed.nonzero()[0]).size:
            self.clock[columns] = rules.HOLD_TICKS
            self._ball_left[columns] = ball_left[columns]
        lost = np.less_equal(y, rules.BALL_RADIUS, out=self._flag)
        expired = np.less_equal(self.clock, 0.0, out=self._more)
        columns = np.logical_or(lost, expired, out=lost).nonzero()[0]
        if still.size:
            columns = columns[~self._over[columns]]
        if columns.size:
            self._end_rallies(columns, rewards)
        return rewards

    def _end_rallies(self, columns: Columns, rewards: NDArray[np.float32]) -> None:
        winner = self._ball_left[columns].astype(np.intp)
        rewards[columns] = self._rally_rewards[winner]
        self.events[columns] = rules.POINT
        self.landings[columns] = self._ball[0][columns]
        points = self.scores[winner, columns] + 1
        self.scores[winner, columns] = points
        won = points >= self.points
        self._won[columns] = self._over[columns] = won
        self._serve(columns[~won])

    def _count_ticks(self, still: Columns) -> NDArray[np.bool_]:
        """Count the tick of unfinished games and return truncations."""
        self.ticks += 1
        if still.size:
            self.ticks[still] -= 1
        truncations: NDArray[np.bool_] = self.ticks >= self.max_ticks
        if truncations.any():
            truncations &= ~self._won
            self._over |= truncations
        return truncations

    # -- observing

    def observe(self) -> NDArray[np.float32]:
        """Return every agent's observation: float32, (games, agents, size), a new array.

        In order, (x, y, vx, vy) of the agent, the ball, its team mate if any, and the opponents; then the rally clock.
        Positions and speeds are in tenths of metres and metres a second, with x mirrored for the right team: each agent
        sees its own team at x < 0.  The clock runs from 1, as the ball crosses the net, to 0; above 1 before the serve.
        """
        return self._observe(self._rows)

    def _observe(self, rows: Floats) -> NDArray[np.float32]:
        # Each column of the matrix has one entry, so the product only scales rows: exact.
        # Blocks are too small for BLAS to start threads, whose joining takes milliseconds on a busy machine.
        width, games = len(self.agents) * len(rows), rows.shape[1]
        single = rows.astype(np.float32)
        seen = np.empty((games, width), np.float32)
        block = max(1, _BLAS_BLOCK // (len(rows) * width))
        for start in range(0, games, block):
            np.matmul(single[:, start : start + block].T, self._observe_matrix, out=seen[start : start + block])
        return seen.reshape(games, len(self.agents), len(rows))
