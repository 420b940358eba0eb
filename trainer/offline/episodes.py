"""A seat's episode as a SingleAgentEpisode."""

from __future__ import annotations

from typing import Any

from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export import DataSet


def rllib_episode(data: DataSet, episode: SeatEpisode) -> SingleAgentEpisode:
    """A fitted episode in arrays; each info tells of the decision that was made on the observation beside it.

    With masks an observation is PettingZoo's own: ``observation`` and ``action_mask``.
    """
    facts = zip(episode.ticks, episode.human, episode.takeover, strict=True)
    infos = [{"tick": int(tick), "human": bool(human), "takeover": bool(over)} for tick, human, over in facts]
    made = SingleAgentEpisode(
        id_=f"{episode.take}/{episode.agent}/{episode.ticks[0]}",
        observations=_whole(data.seen(episode)),
        infos=[*infos, {}],
        actions=_whole(episode.actions),
        rewards=_whole(episode.rewards),
        terminated=episode.terminated,
        truncated=episode.truncated,
        len_lookback_buffer=0,
        agent_id=str(episode.agent),
    )
    made.custom_data.update(take=episode.take, game=episode.game, label=episode.label, person=episode.person)
    return made


def _whole(values: Any) -> InfiniteLookbackBuffer:
    return InfiniteLookbackBuffer(data=values, lookback=0)
