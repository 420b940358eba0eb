"""Reads recorded decisions into trajectories, the consecutive decisions of one seat as inputs of a network."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from arcade.match.batch.vector_env import VectorEnv
from arcade.recordings.datasets.episodes import SeatEpisode, episodes
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError
from trainer.imitation.order import Selection
from trainer.networks.seat import SeatNetwork, shrink
from trainer.sampling.plan import Policy

Array = NDArray[Any]

SHRUNK_AT_ONCE = 1024
"""Observations, so that pictures need no room twice."""

KEPT_ROWS = 64
"""Raw observations, to compare the exported graph with the network."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """T consecutive decisions of one seat."""

    recording: str  # its id
    seen: Array  # (T + 1, …): what the network keeps of the observations
    masks: NDArray[np.int8] | None  # (T + 1, n); None where the game has none
    actions: Array  # (T, …), as the network's draws have them
    rewards: NDArray[np.float64]  # (T,)
    corrected: NDArray[np.bool_]  # (T,): a person who took over from the policy decided
    counts: NDArray[np.bool_]  # (T,): False for the policy's decisions shortly before a person took over
    terminated: bool  # the episode ended with the last one; else it was truncated

    def __len__(self) -> int:
        return len(self.actions)

    def weights(self, correction: float) -> NDArray[np.float32]:
        """(T,): how much each decision counts, those of `corrected` ones `correction`, others 1 or 0."""
        return np.where(self.corrected, np.float32(correction), np.float32(1)) * self.counts


def make_trajectory(
    episode: SeatEpisode, network: SeatNetwork, *, masked: bool, corrected: bool = False, before: int = 0
) -> Trajectory:
    """The trajectory of an episode.

    `masked`: the game has action masks.  `corrected`: people took over from the policy that learns, whose decisions in
    the `before` ticks before that do not count.
    """
    masks = episode.action_masks
    takeover = episode.takeover & corrected
    if masked and masks is None:
        masks = np.ones((len(episode) + 1, network.distribution.width), np.int8)
    return Trajectory(
        recording=episode.recording,
        seen=_shrunk(network, episode.observations),
        masks=masks if masked else None,
        actions=network.distribution.from_env(episode.sent),
        rewards=episode.rewards,
        corrected=takeover,
        counts=~_shortly_before(takeover, episode.ticks, before),
        terminated=episode.terminated,
    )


def _shortly_before(takeover: NDArray[np.bool_], ticks: NDArray[np.int64], before: int) -> NDArray[np.bool_]:
    """(T,): the decisions of others at most `before` ticks ahead of the next one by a person who took over."""
    taken = ticks[takeover]
    following = np.append(taken, np.iinfo(np.int64).max)[np.searchsorted(taken, ticks)]
    return ~takeover & (following - ticks <= before)


def correction_weight(trajectories: Sequence[Trajectory], given: float) -> float:
    """The weight of a corrected decision: as `given`, or for 0 so that they count together as much as all others."""
    corrected = sum(int(one.corrected.sum()) for one in trajectories)
    others = sum(int((one.counts & ~one.corrected).sum()) for one in trajectories)
    return given or (others / corrected if corrected and others else 1.0)


def returns(trajectory: Trajectory, last_value: float, *, gamma: float) -> NDArray[np.float32]:
    """(T,): the discounted rewards from each decision on, with `last_value` as the bootstrap of a truncated episode."""
    sums = np.zeros(len(trajectory), np.float32)
    following = 0.0 if trajectory.terminated else last_value
    for t in range(len(trajectory) - 1, -1, -1):
        following = sums[t] = trajectory.rewards[t] + gamma * following
    return sums


def _shrunk(network: SeatNetwork, observations: Array) -> Array:
    parts = [observations[i : i + SHRUNK_AT_ONCE] for i in range(0, len(observations), SHRUNK_AT_ONCE)]
    return np.concatenate([shrink(network, part) for part in parts])


@dataclass(slots=True)
class Dataset:
    """The decisions of a selection, read from recordings."""

    trajectories: list[Trajectory] = field(default_factory=list)
    decisions_of: Counter[str] = field(default_factory=Counter)  # by name or label of the player
    corrections: int = 0  # decisions of people who took over from a policy
    left_out: dict[str, str] = field(default_factory=dict)  # id of a recording → why it cannot be used
    raw: list[Any] = field(default_factory=list)  # some observations as the env gives them
    raw_masks: list[Any] = field(default_factory=list)  # their masks, where there are any

    def add(self, episode: SeatEpisode, trajectory: Trajectory) -> None:
        self.trajectories.append(trajectory)
        for label in episode.labels:
            self.decisions_of[episode.person if episode.person and label == episode.label else label] += 1
        self.corrections += int(episode.takeover.sum())
        room = KEPT_ROWS - len(self.raw)
        self.raw += list(episode.observations[:room])
        if trajectory.masks is not None:
            self.raw_masks += list(trajectory.masks[:room])

    @property
    def players(self) -> list[str]:
        """Names of the players, those with most decisions first."""
        return [name for name, _ in self.decisions_of.most_common()]

    @property
    def rows(self) -> tuple[NDArray[Any], NDArray[np.int8] | None]:
        """Observations as the env gives them, and their masks."""
        return np.stack(self.raw), np.stack(self.raw_masks) if self.raw_masks else None


def read_dataset(
    recordings: Sequence[Recording], selection: Selection, network: SeatNetwork, policy: Policy, *, before: int = 0,
    on_recording: Callable[[int, int], None] = lambda done, total: None,
) -> Dataset:  # fmt: skip
    """Read the recordings; those that cannot be read are logged and left out.

    `before` is as of make_trajectory; `on_recording` is called with the recordings done and their total.  Raises
    DatasetError for a seat whose observations or actions do not fit the policy.
    """
    found = Dataset()
    for done, recording in enumerate(recordings, 1):
        try:
            for episode in episodes(recording, selection.seats(recording), wanted=selection.includes):
                _check(episode, policy)
                corrected = bool(selection.corrected)
                made = make_trajectory(episode, network, masked=policy.masked, corrected=corrected, before=before)
                found.add(episode, made)
        except DatasetError:
            raise
        except UserError as error:
            found.left_out[recording.id] = str(error)
            _log.warning("%s is left out: %s", recording.id, error)
        on_recording(done, len(recordings))
    return found


def policy_of(recordings: Sequence[Recording], selection: Selection, batch: VectorEnv) -> Policy:
    """One policy for all selected seats, playable wherever its signature fits.

    Raises DatasetError where these seats have different observations or actions.
    """
    seats = sorted({seat for recording in recordings for seat in selection.seats(recording)})
    agents = {str(agent): agent for agent in batch.agents}
    if unknown := [seat for seat in seats if seat not in agents]:
        raise DatasetError(f"expected seats of {batch.spec.id}, {', '.join(agents)}, got: {', '.join(unknown)}")
    numbers = {batch.group_of(agents[seat]) for seat in seats}
    if len(numbers) > 1:
        kinds = " | ".join(", ".join(map(str, batch.groups[number].agents)) for number in sorted(numbers))
        raise DatasetError(
            f"expected seats with the same observations and actions, got: {', '.join(seats)}; "
            f"choose among {kinds} with --seat"
        )
    group = batch.groups[number := numbers.pop()]
    return Policy("clone", (), number, group.observation_space, group.action_space, group.masks is not None)


def _check(episode: SeatEpisode, policy: Policy) -> None:
    for what, values, space in (
        ("observations", episode.observations, policy.observation_space),
        ("actions", episode.sent, policy.action_space),
    ):
        shape = getattr(values, "shape", (0, "of several arrays"))[1:]
        if shape != tuple(space.shape or ()):
            raise DatasetError(
                f"expected {what} of shape {space.shape} in {episode.recording}, as the game has them here, "
                f"got: {shape} in seat {episode.agent}; leave the recording out"
            )
