"""Accumulators of a comparison: agreement, habits and results, episode by episode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np

from agents.policies.snapshot_controller import SnapshotController
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID, Controller, SeatSpec
from agents.snapshots.card import ActionSignature
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import SnapshotStore
from agents.statistics import Mean, mean_of
from arcade.match.play.lineup import make_controller
from arcade.match.stage.local import LocalStage
from arcade.recordings.datasets.episodes import SeatEpisode, episodes
from arcade.recordings.likeness.answers import answer
from arcade.recordings.likeness.figures import PLAYERS, Agreement, Habits, Results
from arcade.recordings.likeness.reactions import (
    Classes,
    Reactions,
    changes,
    classes_of,
    reactions,
    reference_classes,
    run_lengths,
    same,
    together,
)
from arcade.recordings.likeness.rematch import Rematch


class Asked:
    """The snapshot's actions at the person's decisions."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._policy = OnnxPolicy(snapshot)
        self._columns: dict[str, list[float]] = {name: [] for name in ("same", "repeating", "log_likelihood", "chance")}
        self._begins: list[bool] = []  # the person changed the action
        self._recordings: list[str] = []

    @property
    def decisions(self) -> int:
        return len(self._recordings)

    def add(self, episode: SeatEpisode, done: Classes) -> None:
        """Add an episode; `done`: the classes of its actions."""
        answers = answer(self._policy, episode)
        began = changes(done)
        rows = {
            "same": same(done, answers.likeliest),
            "repeating": np.concatenate([[False], ~began[1:]]),
            "log_likelihood": answers.logp,
            "chance": np.zeros(0) if answers.chance is None else answers.chance,
        }
        for name, values in rows.items():
            self._columns[name] += values.astype(np.float64).tolist()
        self._begins += began.tolist()
        self._recordings += [episode.recording] * len(episode)

    def agreement(self) -> Agreement:
        """The figures; intervals count each recording as one observation."""
        columns, chance = self._columns, self._columns["chance"]
        begun = [place for place, begins in enumerate(self._begins) if begins]
        return Agreement(
            decisions=self.decisions,
            same=share_of(columns["same"], self._recordings),
            at_changes=share_of([columns["same"][i] for i in begun], [self._recordings[i] for i in begun]),
            repeating=share_of(columns["repeating"], self._recordings),
            log_likelihood=mean_of(columns["log_likelihood"], self._recordings),
            chance=sum(chance) / len(chance) if chance else None,
        )


def share_of(values: Sequence[float], recordings: Sequence[str]) -> Mean | None:
    """The mean of zeros and ones, its interval clipped to 0 … 1."""
    found = mean_of(values, recordings)
    if found is None or found.low is None or found.high is None:
        return found
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


class References:
    """The reference player of each seat, made on demand; none in a turn-based game."""

    def __init__(
        self, choice: SeatChoice | None, stage: LocalStage, store: SnapshotStore, *, action: ActionSignature
    ) -> None:  # fmt: skip
        self._choice, self._stage, self._store, self.action = choice, stage, store, action
        self._made: dict[AgentID, tuple[Controller, SeatSpec]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for made in self._made.values():
            made[0].close()

    def reactions(self, episode: SeatEpisode, done: Classes) -> Reactions | None:
        """The reactions in an episode; None without a reference."""
        if self._choice is None:
            return None
        if episode.agent not in self._made:
            self._made[episode.agent] = self._make(self._choice, episode.agent)
        right = reference_classes(*self._made[episode.agent], episode, self.action)
        return reactions(done, right, episode.ticks, fps=self._stage.spec.fps)

    def _make(self, choice: SeatChoice, agent: AgentID) -> tuple[Controller, SeatSpec]:
        seat = self._stage.seat(agent)
        if choice.kind == "snapshot":  # sampled actions would change at every tick
            snapshot = self._store.get(choice.argument, game=seat.game, agent=agent)
            return SnapshotController(snapshot, greedy=True), seat
        return make_controller(choice, seat, spec=self._stage.spec, store=self._store), seat


class HabitsOf:
    """The habits of a player over several episodes."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._runs: list[Any] = []
        self._reactions: list[Reactions] = []
        self._seconds: list[Any] = []

    def add(self, episode: SeatEpisode) -> Classes:
        """Add an episode; returns the classes of its actions."""
        done = classes_of(episode.sent, self._references.action)
        self._runs.append(run_lengths(done))
        self._seconds.append(episode.times)
        found = self._references.reactions(episode, done)
        self._reactions += [] if found is None else [found]
        return done

    def habits(self) -> Habits:
        runs = np.concatenate(self._runs) if self._runs else np.zeros(0, np.int64)
        seconds = np.concatenate(self._seconds) if self._seconds else np.zeros(0)
        return Habits(runs, together(self._reactions), seconds)


@dataclass
class BothResults:
    """The results of person and clone in the same matches."""

    _of: dict[str, Results] = field(
        default_factory=lambda: {player: Results(outcomes=[], returns=[], seeds=[]) for player in PLAYERS}
    )

    def add(self, rematch: Rematch, player: SeatChoice, store: SnapshotStore) -> list[SeatEpisode]:
        """Repeat the match, note both results, and return the clone's episodes."""
        agent = str(rematch.agent)
        with TemporaryDirectory(prefix="arcade-likeness-") as folder:
            recording = rematch.play(player, store=store, folder=Path(folder))
            for name, card in (("person", rematch.recording.card), ("clone", recording.card)):
                self._of[name].outcomes.append(card.outcome(agent))
                self._of[name].returns.append(card.returns.get(agent, 0.0))
                self._of[name].seeds.append(card.seed)
            return list(episodes(recording, (agent,)))

    def results(self) -> dict[str, Results]:
        return self._of
