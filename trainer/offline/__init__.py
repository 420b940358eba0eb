"""Demonstrations as RLlib's own offline episodes."""

from trainer.offline.episodes import rllib_episode
from trainer.offline.writer import EpisodesWriter

__all__ = ["EpisodesWriter", "rllib_episode"]
