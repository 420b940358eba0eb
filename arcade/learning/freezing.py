"""The catalogue for `agents.freeze`: real observations of a seat, and placement on the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ladder import open_ladder
from agents.policies.random import RandomBatch
from agents.seats.controller import AgentID, SeatSpec
from agents.snapshots.card import SnapshotCard
from agents.snapshots.games import SeatSample
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import open_store
from agents.spaces import action_signature, observation_signature
from arcade.arguments import ArgumentError
from arcade.games import find_game
from arcade.games.third_party.own_env import game_of
from arcade.learning.api import ANY, learners_of
from arcade.learning.opponent_env import check_alike
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.placement import Placement
from arcade.match.batch.vector_env import VectorEnv, flat

ROWS, MOST_TICKS = 32, 200
"""Observations of a sample, and the ticks of random play that they are from at most."""

SLICE = 60.0  # seconds of placement between two looks at whether there is more


def sample_seat(game: object, seat: AgentID = ANY) -> SeatSample:
    """Observations of random play; raises UserError for an unknown game or seat, or seats that are not alike."""
    spec = game_of(game)
    seats = learners_of(spec, seat)
    with make_vector_env(spec, 2) as env:
        check_alike(spec, seats, {place.agent: (place.observation_space, place.action_space) for place in env.places})
        group = env.groups[number := env.group_of(seats[0])]
        columns = [place for place, agent in enumerate(group.agents) if agent in seats]
        seen, masks = _play(env, number, columns)
        return SeatSample(
            game=spec.id, agents=() if seats == spec.agents else tuple(map(str, seats)),
            observation_space=group.observation_space, action_space=group.action_space, observations=seen, masks=masks,
        )  # fmt: skip


def place_snapshot(snapshot: Snapshot, *, games: int) -> int:
    """Play up to `games` matches of a saved snapshot against the most informative opponents, and return how many.

    None are played where its team mates are others, or where no other player of the game is there.
    """
    spec, store, card = find_game(snapshot.card.game), open_store(), snapshot.card
    with make_vector_env(spec, 1) as env:
        places = env.places
    own = {agent: card.name for agent in spec.agents if card.plays(agent)}
    teams = {spec.team_of(agent) for agent in own}
    if any(agent not in own for team in teams for agent in spec.teams[team]):
        return 0
    others = {
        place.agent: [one.name for one in store.list(spec.id) if one.name != card.name and _fits(one, place)]
        for place in places
        if len(spec.teams) > 1 and (len(teams) > 1 or spec.team_of(place.agent) not in teams)
    }
    with open_ladder() as ladder:
        before = len(ladder.results(spec.id))
        placement = Placement(spec, ladder, store, games=games)
        placement.place(snapshot, own, others)
        while placement.pending:
            placement.work(SLICE)
        return len(ladder.results(spec.id)) - before


def _fits(card: SnapshotCard, place: SeatSpec) -> bool:
    signatures = observation_signature(place.observation_space), action_signature(place.action_space)
    return card.plays(place.agent) and (card.observation, card.action) == signatures


def _play(env: VectorEnv, number: int, columns: Sequence[int]) -> tuple[NDArray[Any], NDArray[np.int8] | None]:
    """Observations and masks of some seats of a group while they act, from random play."""
    group, players = env.groups[number], RandomBatch(env.places)
    seats = np.arange(env.num_envs * len(env.agents))
    players.begin(seats, seats)
    env.reset(np.arange(env.num_envs), np.arange(env.num_envs))
    seen, masks = list[NDArray[Any]](), list[NDArray[np.int8]]()
    for tick in range(MOST_TICKS):
        rows = env.acting[:, group.columns[list(columns)]]
        seen += list(group.observations[:, list(columns)][rows])
        if group.masks is not None:
            masks += list(group.masks[:, list(columns)][rows])
        if len(seen) >= ROWS:
            break
        env.step([_actions(env, index, players) for index in range(len(env.groups))])
        over = np.flatnonzero(env.over)
        env.reset(over, over + 2 + tick)
    if not seen:
        raise ArgumentError(f"expected a turn of {group.agents[columns[0]]} in {env.spec.id}, got none in random play")
    return np.stack(seen[:ROWS]).copy(), np.stack(masks[:ROWS]).copy() if masks else None


def _actions(env: VectorEnv, index: int, players: RandomBatch) -> NDArray[Any]:
    """Random actions of a group, where its seats act."""
    group = env.groups[index]
    actions = group.no_actions()
    rows = np.flatnonzero(env.acting[:, group.columns])
    if len(rows):
        masks = None if group.masks is None else flat(group.masks)[rows]
        flat(actions)[rows] = players.act(env.seats_of(index, rows), flat(group.observations)[rows], masks)
    return actions
