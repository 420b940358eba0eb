"""Who plays the seats that are not learning: frozen snapshots and the scripted player, drawn by name.

Snapshots arrive while games run and are drawn from the next episode on.
"""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.onnx_policy import OnnxPolicy
from agents.snapshot import Snapshot
from arcade.games.spec import GameSpec
from trainer.config.sections import OpponentSettings
from trainer.networks.acting import begin
from trainer.networks.acting import play as draw
from trainer.networks.seat import SeatNetwork

LIVE = -1
"""In place of an opponent's number: the learning policy itself sits there."""

SCRIPTED = "scripted"
KEPT_SESSIONS = 32

Act = Callable[[NDArray[Any], NDArray[np.int8] | None, np.random.Generator], NDArray[Any]]
"""(observations (B, *shape), masks (B, n) or None, rng) -> the env's actions (B, *action shape)."""


class Opponents:
    """The pools as a runner has them: a policy's snapshots by number, and few sessions open at once."""

    def __init__(self, settings: OpponentSettings, spec: GameSpec) -> None:
        self._settings = settings
        self._snapshots: dict[str, Snapshot] = {}
        self._sessions: OrderedDict[str, OnnxPolicy] = OrderedDict()
        self._scripted = scripted_player(spec) if settings.fixed_ratio > 0 and SCRIPTED in settings.fixed else None
        self.names: list[str] = [SCRIPTED]
        self._pools: dict[str, list[int]] = {}
        self._in_play: dict[str, list[int]] = {}

    @property
    def pool(self) -> tuple[str, ...]:
        """The snapshots' names, oldest first."""
        return tuple(self._snapshots)

    def add(self, snapshot: Snapshot, policy: str) -> None:
        """A snapshot joins the pool of a policy."""
        if snapshot.card.name not in self._snapshots:
            self._snapshots[snapshot.card.name] = snapshot
            self._pools.setdefault(policy, []).append(len(self.names))
            self.names.append(snapshot.card.name)

    def begin_fragment(self, rng: np.random.Generator) -> None:
        """Choose the few names that new episodes of this fragment draw from: the newest and some of the window."""
        for policy, numbers in self._pools.items():
            window = numbers[-self._settings.window :] if self._settings.window else numbers
            few = min(len(window), self._settings.names_a_fragment)
            chosen = [int(i) for i in rng.choice(window, few, replace=False)] if few else []
            self._in_play[policy] = sorted({*chosen, *numbers[-1:]})

    def draw(self, policy: str, episodes: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Numbers of who takes the policy's seats in so many new episodes, LIVE where its pool is empty."""
        settings, in_play = self._settings, self._in_play.get(policy, [])
        drawn = np.full(episodes, LIVE, np.intp)
        if in_play:
            drawn = rng.choice(np.array(in_play, np.intp), episodes)
            drawn[rng.random(episodes) < settings.newest_ratio] = in_play[-1]
        return drawn

    def act(
        self, number: int, lanes: NDArray[np.intp], observations: NDArray[Any], masks: NDArray[np.int8] | None,
        rng: np.random.Generator,
    ) -> NDArray[Any]:  # fmt: skip
        """The env's actions of opponent `number` for a batch of observations."""
        name = self.names[number]
        if name == SCRIPTED and self._scripted is not None:
            return self._scripted(observations, masks, rng)
        return self._session(name).act(observations, masks, rng)

    def begin(self, group: int, lanes: NDArray[np.intp]) -> None:
        """New episodes begin in these lanes of a group of seats."""

    def _session(self, name: str) -> OnnxPolicy:
        session = self._sessions.pop(name, None) or OnnxPolicy(self._snapshots[name], threads=1)
        self._sessions[name] = session
        if len(self._sessions) > KEPT_SESSIONS:
            self._sessions.popitem(last=False)
        return session


def network_player(network: SeatNetwork) -> Act:
    """The learning policy as it stands, as a snapshot of it would play."""

    def play(observations: NDArray[Any], masks: NDArray[np.int8] | None, rng: np.random.Generator) -> NDArray[Any]:
        return draw(network, observations, masks, begin(network, len(observations)), rng)

    return play


def scripted_player(spec: GameSpec) -> Act | None:
    """The game's scripted player for batches, None where none ships."""
    if not spec.scripted:
        return None
    module_name, _, name = spec.scripted.partition(":")
    module = importlib.import_module(module_name)
    play_batch = getattr(module, f"{name}_batch", None)
    if play_batch is not None:
        return lambda observations, masks, rng: play_batch(observations, rng)
    play = getattr(module, name)

    def one_by_one(
        observations: NDArray[Any], masks: NDArray[np.int8] | None, rng: np.random.Generator
    ) -> NDArray[Any]:
        rows: Sequence[Any] = [None] * len(observations) if masks is None else masks
        return np.stack([np.asarray(play(seen, mask, rng)) for seen, mask in zip(observations, rows, strict=True)])

    return one_by_one
