"""Joint episodes: all seats of a match in one episode, as multi-agent learning needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.recordings.datasets.episodes import SeatEpisode, episodes
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError, DatasetQuery

MATCH = "match"
"""The agent of a joint episode."""

OBSERVATION, ACTION_MASK = "observation", "action_mask"
"""PettingZoo's own keys of an observation with a mask."""


def joint_episodes(recording: Recording, query: DatasetQuery) -> Iterator[SeatEpisode]:
    """Yield the match as one episode of all its seats, where `query` selects one of them.

    Raises as `episodes` does, and DatasetError for a match with a seat that never decided.
    """
    if query.seats(recording):
        agents = [*recording.card.lineup]
        yield joined(agents, list(episodes(recording, agents)))


def joined(agents: Sequence[str], pieces: Sequence[SeatEpisode]) -> SeatEpisode:
    """Return one episode with a row for each tick at which any of `agents` decided.

    Observations and actions are dicts by agent.  Where an agent did not decide, its observation is the newest one, its
    action the one before, its reward 0; `by_seat` has what each agent did: ``acts`` is False there.
    """
    found = {agent: sorted((one for one in pieces if str(one.agent) == agent), key=_first_tick) for agent in agents}
    idle = [agent for agent, parts in found.items() if not parts]
    if idle:
        raise DatasetError(f"expected decisions of every seat for a joint episode, got none of {', '.join(idle)}")
    rows = np.unique(np.concatenate([one.ticks for one in pieces]))
    seats = {agent: _Seat(parts, rows) for agent, parts in found.items()}
    by_seat = {name: {agent: seat.columns[name] for agent, seat in seats.items()} for name in _COLUMNS}
    columns = {name: np.stack([*values.values()]) for name, values in by_seat.items()}
    over = all(parts[-1].terminated for parts in found.values())
    label = ", ".join(f"{agent}: {parts[0].label}" for agent, parts in found.items())
    people = dict.fromkeys(one.person for one in pieces if one.person)
    first = pieces[0]
    return SeatEpisode(
        recording=first.recording,
        game=first.game,
        agent=MATCH,
        seed=first.seed,
        label=label,
        person=", ".join(people),
        observations=_by_row({agent: seat.observations for agent, seat in seats.items()}, len(rows) + 1),
        action_masks=None,
        actions=_by_row({agent: seat.actions for agent, seat in seats.items()}, len(rows)),
        sent=_by_row({agent: seat.sent for agent, seat in seats.items()}, len(rows)),
        rewards=columns["reward"].sum(axis=0),
        ticks=rows,
        times=columns["seconds"].max(axis=0),
        human=np.logical_or.reduce(columns["human"]),
        takeover=np.logical_or.reduce(columns["takeover"]),
        labels=(label,) * len(rows),
        terminated=over,
        truncated=not over,
        by_seat=by_seat,
    )


def joint_spaces(known: Mapping[AgentID, tuple[Any, Any]], episode: SeatEpisode) -> tuple[Any, Any]:
    """Return the Dict spaces of a joint episode, from the spaces by agent: of observations (no masks) and actions."""
    seen, done = {}, {}
    for agent, (observation, action) in known.items():
        value = episode.observations[0].get(str(agent))
        if isinstance(value, dict) and ACTION_MASK in value:
            mask = spaces.Box(0, 1, value[ACTION_MASK].shape, np.int8)
            observation = spaces.Dict({OBSERVATION: observation, ACTION_MASK: mask})
        seen[str(agent)], done[str(agent)] = observation, action
    return spaces.Dict(seen), spaces.Dict(done)


_COLUMNS = ("acts", "reward", "terminated", "truncated", "seconds", "human", "takeover")


class _Seat:
    """The rows of one agent: the newest of its decisions at each tick."""

    def __init__(self, parts: Sequence[SeatEpisode], rows: NDArray[np.int64]) -> None:
        ticks = np.concatenate([one.ticks for one in parts])
        newest = np.maximum(np.searchsorted(ticks, rows, side="right") - 1, 0)
        acts = ticks[newest] == rows
        seen = _seen(parts)
        places = [*np.where(rows > ticks[-1], len(ticks), newest), len(ticks)]  # at last the one behind its end
        self.observations = [seen[place] for place in places]
        self.actions = [value for one in parts for value in one.actions]
        self.sent = [value for one in parts for value in one.sent]
        self.actions, self.sent = [self.actions[at] for at in newest], [self.sent[at] for at in newest]
        is_last = acts & (rows == ticks[-1])
        self.columns: dict[str, NDArray[Any]] = {
            "acts": acts,
            "reward": np.where(acts, np.concatenate([one.rewards for one in parts])[newest], 0.0),
            "terminated": is_last & parts[-1].terminated,
            "truncated": is_last & parts[-1].truncated,
            "seconds": np.where(acts, np.concatenate([one.times for one in parts])[newest], 0.0),
            "human": acts & np.concatenate([one.human for one in parts])[newest],
            "takeover": acts & np.concatenate([one.takeover for one in parts])[newest],
        }


def _first_tick(episode: SeatEpisode) -> int:
    return int(episode.ticks[0])


def _seen(parts: Sequence[SeatEpisode]) -> list[Any]:
    """Return the observation of each decision and the one behind the last; with its mask where the seat has masks."""
    values = [value for one in parts for value in one.observations[:-1]] + [parts[-1].observations[-1]]
    size = next((one.action_masks.shape[1] for one in parts if one.action_masks is not None), 0)
    if not size:
        return values
    known = [np.ones((len(one) + 1, size), np.int8) if one.action_masks is None else one.action_masks for one in parts]
    masks = [mask for one in known for mask in one[:-1]] + [known[-1][-1]]
    return [{OBSERVATION: value, ACTION_MASK: mask} for value, mask in zip(values, masks, strict=True)]


def _by_row(columns: Mapping[str, Sequence[Any]], count: int) -> list[dict[str, Any]]:
    return [{agent: values[row] for agent, values in columns.items()} for row in range(count)]
