"""Environments for learning libraries, part of the Python API: `opponent_env`, `match_env` and others.

All errors that a caller can correct are `agents.errors.UserError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from gymnasium.vector import AutoresetMode

from agents.matchmaking.shares import Weighting
from agents.seats.controller import AgentID
from agents.snapshots.store import open_store
from arcade.arguments import ArgumentError, check_numbers
from arcade.games.spec import GameSpec
from arcade.games.third_party.own_env import game_of
from arcade.learning import registry
from arcade.learning.match_env import fill
from arcade.learning.opponent_env import OpponentEnv
from arcade.learning.opponent_vector_env import OpponentVectorEnv
from arcade.learning.opponents import Opponents
from arcade.match.batch.make import with_kwargs

if TYPE_CHECKING:
    from arcade.arguments import Seats

ANY: Literal["any"] = "any"
"""A seat drawn anew for each episode."""


def opponent_env(
    game: object,
    seat: AgentID = ANY,
    opponents: Opponents = "pool",
    *,
    seed: int | None = None,
    weighting: Weighting = "variance",
    max_ticks: int | None = None,
    render_mode: str | None = None,
    game_kwargs: Mapping[str, Any] | None = None,
) -> OpponentEnv:
    """Make one seat of a game a Gymnasium env, whose other seats are played by opponents drawn at each reset.

    game: as in `arcade.make`.
    seat: the learner's agent id; "any": drawn for each episode, from seats that all see and do alike.
    opponents: "pool" (all snapshots that fit, the scripted player and random play), a seat word, a function
        ``(observation, action_mask, rng) -> action``, a Controller, a list of such to draw from, or either by agent id,
        ``"*"`` for all that are not named.
    seed: of the first reset that has none; everything random follows from it.
    weighting: how opponents are drawn by the win rates against them: "variance" prefers even matches, "hard" strong
        opponents, "uniform" neither.
    max_ticks: ticks after which an episode is truncated; None: when the game is over.
    render_mode: "rgb_array" or None.
    game_kwargs: arguments of the game.

    Turn-based games advance to the learner's next turn, and rewards add up until then.  ``env.action_masks()`` and
    ``info["action_mask"]`` have the legal actions; an illegal one ends the episode with the reward -1.  Snapshots that
    are saved during training join the pool at the next reset.  Raises GameError, SeatError, SnapshotError and
    ArgumentError.

    >>> env = opponent_env("house/volley", "left_0", ["scripted", "random"], seed=7)
    >>> observation, info = env.reset()
    >>> observation.shape, env.action_space, sorted(info["opponents"])
    ((13,), Discrete(6), ['right_0'])
    >>> observation, reward, terminated, truncated, info = env.step(2)
    >>> env.close()
    """
    check_numbers(None if seed is None else seed % 2**32, None, max_ticks, 1)
    spec = with_kwargs(game_of(game), game_kwargs or {})
    return OpponentEnv(
        spec, learners_of(spec, seat), opponents, store=open_store(), seed=seed, weighting=weighting,
        max_ticks=max_ticks, render_mode=render_mode,
    )  # fmt: skip


def opponent_vector_env(
    game: object,
    num_envs: int,
    seat: AgentID = ANY,
    opponents: Opponents = "pool",
    *,
    seed: int | None = None,
    weighting: Weighting = "variance",
    max_ticks: int | None = None,
    autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    game_kwargs: Mapping[str, Any] | None = None,
) -> OpponentVectorEnv:
    """Make `num_envs` copies of `opponent_env`, stepped together, a Gymnasium VectorEnv.

    Faster by far than as many single envs: the games run in numpy where they can, and each opponent decides for all of
    its seats at once.  The arguments are those of `opponent_env`; opponents are seat words, and at most eight players
    of the pool play at a time.  ``env.action_masks()`` is bool (num_envs, n).  Raises as `opponent_env` does.

    >>> env = opponent_vector_env("house/volley", 64, "left_0", "random", seed=7)
    >>> observations, info = env.reset()
    >>> observations, rewards, terminated, truncated, info = env.step(env.action_space.sample())
    >>> observations.shape, rewards.shape
    ((64, 13), (64,))
    >>> env.close()
    """
    check_numbers(None if seed is None else seed % 2**32, None, max_ticks, 1)
    if num_envs < 1:
        raise ArgumentError(f"expected num_envs >= 1, got: {num_envs}")
    spec = with_kwargs(game_of(game), game_kwargs or {})
    return OpponentVectorEnv(
        spec, learners_of(spec, seat), num_envs, opponents, store=open_store(), seed=seed, weighting=weighting,
        max_ticks=max_ticks, autoreset_mode=autoreset_mode,
    )  # fmt: skip


def match_env(game: object, seats: Seats, *, render_mode: str | None = None) -> Any:
    """Make a game with players in some of its seats: a PettingZoo env of the others, a ParallelEnv or an AECEnv.

    game: as in `arcade.make`.
    seats: agent id to its player as in `arcade.play`; "open" for a seat of yours, as are all that are not named, and
        ``"*"`` for all that are not named.

    The open seats are the env's agents; spaces, observations and masks are the game's own.  A turn-based game moves on
    to the next open seat, and rewards add up until then.  Raises GameError, SeatError, SnapshotError, ArgumentError.

    >>> env = match_env("mpe/simple_tag_v3", {"agent_0": "random"})
    >>> observations, infos = env.reset(seed=7)
    >>> env.agents
    ['adversary_0', 'adversary_1', 'adversary_2']
    >>> env.close()
    """
    return fill(game_of(game), seats, store=open_store(), render_mode=render_mode)


def register_games() -> list[str]:
    """Register the catalogue's games with PettingZoo, for `pettingzoo.make`, and return the ids that are new there.

    >>> import pettingzoo
    >>> ids = register_games()
    >>> pettingzoo.make("parallel", "house/volley").possible_agents
    ['left_0', 'right_0']
    """
    return registry.register_games()


def learners_of(spec: GameSpec, seat: AgentID) -> tuple[AgentID, ...]:
    """The agents that a learner may play; raises ArgumentError for an unknown one."""
    if seat == ANY:
        return spec.agents
    by_text = {str(agent): agent for agent in spec.agents}
    if str(seat) not in by_text:
        raise ArgumentError(f"expected a seat of {spec.id} among {', '.join(by_text)} or any, got: {seat!r}")
    return (by_text[str(seat)],)
