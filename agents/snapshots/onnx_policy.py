"""OnnxPolicy: inference of a snapshot's graph by onnxruntime, for one observation or a batch."""

from __future__ import annotations

import itertools
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import RandomNumbers
from agents.seats.controller import ControllerError
from agents.snapshots.card import ActionSignature, SnapshotCard
from agents.snapshots.graph import read_graph
from agents.snapshots.sessions import ChildSession, LocalSession, Session, SessionError
from agents.snapshots.snapshot import NORMAL, SQUASHED, Snapshot, SnapshotError

Array = NDArray[Any]
_FEW = 128  # actions up to which one row is drawn faster without numpy

State = dict[str, Array]
"""Recurrent state: input name ``state_in_*`` to its value, first axis the batch; {} where there is none."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of one forward pass; the first axis of every array is the batch."""

    actions: Array  # discrete: int64 (batch,); multi_discrete int64, multi_binary int8, box: (batch, *shape)
    probabilities: Array | None  # float32, (batch, n) or (batch, sum of nvec); None for a box
    values: Array | None  # float32, (batch,): the policy's own estimate of its return
    state: State  # to hand in with the next observation


class OnnxPolicy:
    """Raises SnapshotError where onnxruntime cannot load the graph, ControllerError where it cannot decide."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.card = snapshot.card
        try:
            self._session = open_session(snapshot)
        except SessionError as error:
            raise SnapshotError(
                f"{self.card.name}: expected a graph that runs, got: {error}", fault="damaged"
            ) from error
        self._states = self._session.states
        self._dtype = np.dtype(self.card.observation.dtype)
        self._width = self.card.action.n or 0
        self._row: _Row | None = None
        self.seconds = self._measure() if snapshot.trusted else math.inf
        """Seconds of one inference of one observation; 0 for a graph that fails, infinite for one in a child."""

    def _measure(self) -> float:
        observation = np.zeros((1, *self.card.observation.shape), self._dtype)
        seconds = []
        try:
            for _ in range(3):  # the first run also allocates, and any may be interrupted
                began = time.perf_counter()
                self._run(observation, None, None)
                seconds.append(time.perf_counter() - began)
        except ControllerError:  # raised again at the first decision
            seconds.append(0.0)
        return min(seconds)

    def initial_state(self, batch: int = 1) -> State:
        """Zeros for the first observation of an episode."""
        return {name: np.zeros((batch, *shape), dtype) for name, (shape, dtype) in self._states.items()}

    def decide(
        self, observations: Array, masks: Array | None, rng: RandomNumbers, *,
        greedy: bool = False, state: State | None = None,
    ) -> Decision:  # fmt: skip
        """Run the graph on (batch, *shape) observations and draw an action a row.

        `masks` is int8 (batch, n) or None where all is legal; `greedy` takes the likeliest instead of drawing.
        With SeatDraws each row is drawn from the generator of its own seat.
        """
        outputs = self._run(observations, masks, state)
        values = outputs.get("value")
        after = {name: outputs[name.replace("_in_", "_out_", 1)] for name in self._states}
        action = self.card.action
        if action.kind == "box":
            return Decision(_draw_box(outputs, action, None if greedy else rng), None, values, after)
        probabilities = outputs["action_probabilities"]
        actions = _draw(probabilities, masks, action, None if greedy else rng)
        return Decision(actions, probabilities, values, after)

    @property
    def picks_one(self) -> bool:
        """Whether `pick_one` may be asked: discrete actions and no recurrent state."""
        return self.snapshot.trusted and self.card.action.kind == "discrete" and not self._states

    def pick_one(self, observation: Array, mask: Array | None, draw: Callable[[], float]) -> int:
        """`decide` for one observation without its batch axis, in half the time; `draw` gives the next uniform number.

        For one thread at a time: the graph reads and writes the same memory in every call.
        """
        try:
            if self._row is None:
                self._row = _Row(self._session, self.card)
            row = self._row.run(observation, mask)
        except SessionError as error:
            raise ControllerError(f"snapshot {self.card.name!r} failed: {error}") from error
        if mask is not None:
            row = [share if legal else 0.0 for share, legal in zip(row, mask.tolist(), strict=True)]
        return _pick_one(row, draw) + self.card.action.start

    def evaluate(
        self, observations: Array, masks: Array | None = None, *, state: State | None = None
    ) -> tuple[dict[str, Array], Array | None]:
        """The graph's action outputs by name, and the values float32 (batch,) where it has them."""
        outputs = self._run(observations, masks, state)
        actions = {name: array for name, array in outputs.items() if name.startswith("action_")}
        return actions, outputs.get("value")

    def _run(self, observations: Array, masks: Array | None, state: State | None) -> Mapping[str, Array]:
        feed: State = {"observation": np.asarray(observations, self._dtype)}
        if self.card.masked:
            if masks is None:
                masks = np.ones((len(observations), self._width), np.int8)
            feed["action_mask"] = np.asarray(masks, np.int8)
        if self._states:
            feed |= state or self.initial_state(len(observations))
        try:
            outputs = self._session.run(feed)
            if not self.snapshot.trusted:
                check_outputs(outputs, feed, self.card)
        except SessionError as error:
            raise ControllerError(f"snapshot {self.card.name!r} failed: {error}") from error
        return outputs


def open_session(snapshot: Snapshot) -> Session:
    """Load the graph, in a child where the snapshot is not trusted; raises SessionError."""
    return LocalSession(snapshot.onnx) if snapshot.trusted else ChildSession(snapshot.onnx, read_graph(snapshot.onnx))


def check_outputs(outputs: Mapping[str, Array], feed: State, card: SnapshotCard) -> None:
    """Raise SessionError where outputs do not have the shapes and values that a snapshot's have."""
    rows, action = len(feed["observation"]), card.action
    shape = action.shape or () if action.kind == "box" else (sum(action.nvec) if action.nvec else action.n or 0,)
    number = np.dtype(np.float32)
    wanted: dict[str, tuple[tuple[int, ...], np.dtype[Any]]] = {"value": ((rows,), number)}
    wanted |= {name: ((rows, *shape), number) for name in outputs if name.startswith("action_")}
    wanted |= {name.replace("_in_", "_out_", 1): (part.shape, part.dtype) for name, part in feed.items()}
    for name, output in outputs.items():
        if name in wanted and (output.shape, output.dtype) != wanted[name]:
            raise SessionError(f"expected {name} as {wanted[name]}, got: {output.dtype} {output.shape}")
    shares = outputs.get("action_probabilities")
    if shares is not None and not ((shares >= 0) & np.isfinite(shares)).all():
        raise SessionError("expected probabilities of at least 0, got others")


class _Row:
    """A batch of one in memory that onnxruntime reads and writes in place, for discrete actions."""

    def __init__(self, session: Session, card: SnapshotCard) -> None:
        assert isinstance(session, LocalSession)
        self._session = session
        self._observation = np.zeros((1, *card.observation.shape), card.observation.dtype)
        self._mask = np.ones((1, card.action.n or 0), np.int8) if card.masked else None
        self._shares = np.zeros((1, card.action.n or 0), np.float32)
        self._binding = session.onnxruntime.io_binding()
        self._binding.bind_input(*_place("observation", self._observation))
        if self._mask is not None:
            self._binding.bind_input(*_place("action_mask", self._mask))
        self._binding.bind_output(*_place("action_probabilities", self._shares))

    def run(self, observation: Array, mask: Array | None) -> list[float]:
        """The probability of each action."""
        session, timed = self._session, self._session.timed
        timed.since = time.perf_counter()
        try:
            self._observation[...] = observation
            if self._mask is not None:
                self._mask[...] = 1 if mask is None else mask
            session.onnxruntime.run_with_iobinding(self._binding, session.switch.options)
        except Exception as error:
            raise session.failure(error) from error
        finally:
            timed.since = 0.0
        shares: list[float] = self._shares.tolist()[0]
        return shares


def _place(name: str, array: Array) -> tuple[Any, ...]:
    return name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data


def _draw(probabilities: Array, masks: Array | None, action: ActionSignature, rng: RandomNumbers | None) -> Array:
    """Draw an action a row, or take the likeliest where `rng` is None."""
    if action.kind == "discrete":
        return _pick(probabilities if masks is None else probabilities * (masks != 0), rng) + action.start
    if action.kind == "multi_discrete":
        parts = np.split(probabilities, np.cumsum(action.nvec or ())[:-1], axis=1)
        drawn = np.stack([_pick(part, rng) for part in parts], axis=1)
    elif np.isfinite(probabilities).all():
        drawn = (probabilities > (0.5 if rng is None else rng.random(probabilities.shape))).astype(np.int8)
    else:
        raise ControllerError("expected chances between 0 and 1 from the policy, got nan or infinity")
    return drawn.reshape(len(drawn), *(action.shape or (-1,)))


def _pick(probabilities: Array, rng: RandomNumbers | None) -> Array:
    """An index a row, int64 (batch,): the likeliest, or drawn by inverting the cumulative distribution.

    The draw stays strictly below the row's total, so that an entry of probability 0 is never picked.
    """
    if probabilities.shape[0] == 1 and probabilities.shape[1] <= _FEW:
        return np.array([_pick_one(probabilities[0].tolist(), None if rng is None else rng.random)])
    cumulative = probabilities.cumsum(axis=1, dtype=np.float64)
    totals = cumulative[:, -1:]
    if not (totals > 0).all():  # also refuses nan
        raise ControllerError("expected a policy with some probability on a legal action, got none")
    if rng is None:
        likeliest: Array = np.argmax(probabilities, axis=1)
        return likeliest
    points = rng.random(totals.shape) * totals
    picked: Array = np.count_nonzero(cumulative <= points, axis=1)
    return picked


def _pick_one(row: list[float], draw: Callable[[], float] | None) -> int:
    """The same for one row, without numpy's cost a call, which is many times that of a few additions."""
    cumulative = list(itertools.accumulate(row))
    if not cumulative[-1] > 0:
        raise ControllerError("expected a policy with some probability on a legal action, got none")
    return row.index(max(row)) if draw is None else bisect_right(cumulative, draw() * cumulative[-1])


def _draw_box(outputs: Mapping[str, Array], action: ActionSignature, rng: RandomNumbers | None) -> Array:
    """Draw an action a row, or take the likeliest where `rng` is None: the median of a squashed variable."""
    squashed = SQUASHED[0] in outputs
    means, log_stds = (outputs[name] for name in (SQUASHED if squashed else NORMAL))
    if not np.isfinite(means).all():
        raise ControllerError("expected finite actions from the policy, got nan or infinity")
    shape = (1, *(action.shape or ()))
    if rng is not None:
        means = means + np.exp(log_stds) * rng.standard_normal(means.shape, dtype=np.float32)
        if np.isnan(means).any():
            raise ControllerError("expected a spread of the actions from the policy, got nan")
    low, high = np.reshape(action.low or (), shape), np.reshape(action.high or (), shape)
    if squashed:
        means = low + (high - low) * (np.tanh(means) + 1) / 2
    clipped = np.clip(means, low, high)
    dtype = np.dtype(action.dtype or "float32")
    return (np.rint(clipped) if dtype.kind in "iu" else clipped).astype(dtype)
