"""What a policy server answers with: snapshots of a store, batched, or a Python function."""

from __future__ import annotations

import inspect
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from agents.policies.draws import SeatDraws
from agents.seats.controller import ControllerError
from agents.snapshots.card import RESERVED, ActionSignature
from agents.snapshots.onnx_policy import OnnxPolicy, State
from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.wire.acts import Act
from agents.wire.messages import Hello, ProtocolError

MAX_BATCH = 256  # observations in one inference
MAX_OPEN = 16  # graphs
_BEST_EVERY = 8  # refreshes: who is the best takes a look into the ladder for every snapshot


@dataclass(slots=True)
class Request:
    """One act that waits for its answer."""

    act: Act
    hello: Hello
    state: State  # recurrent memory of the seat; replaced by the answer
    rng: np.random.Generator  # the seat's own, so that who else asks changes nothing


Answer = Any
"""An action as it travels (int, float, list or array), or the ProtocolError that says why there is none."""


class Answerer(ABC):
    """One policy, answering for any number of seats."""

    label: str

    @abstractmethod
    def check(self, hello: Hello) -> None:
        """Raise ProtocolError where this policy cannot play for the seat that says hello."""

    def initial_state(self) -> State:
        """Memory at the start of an episode."""
        return {}

    @abstractmethod
    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """An answer to each request, in order; never raises."""

    def answer_one(self, request: Request) -> Answer:
        """The answer to a request that came alone."""
        return self.answer([request])[0]


class Policies(ABC):
    """Finds the policy that a seat asks for."""

    @abstractmethod
    def find(self, hello: Hello) -> Slot:
        """The slot that plays for the seat; raises ProtocolError where there is none."""

    def refresh(self) -> None:  # noqa: B027
        """Called a few times a second: put newer policies into the slots."""


@dataclass(slots=True)
class Slot:
    """A place that holds a policy, and later perhaps a newer one."""

    answerer: Answerer


class SnapshotAnswerer(Answerer):
    """A snapshot; requests that come together take one inference.

    `make_policy` opens its graph, at once and again behind `shut`.  Raises SnapshotError where it cannot.
    """

    def __init__(self, make_policy: Callable[[], OnnxPolicy]) -> None:
        self._make_policy = make_policy
        self._policy: OnnxPolicy | None = None
        self._inferences = 0  # of graphs that were shut
        self.used = 0.0  # monotonic seconds of the newest answer
        card = self._card = self._open().card
        self.label = card.name
        self._shape, self._dtype = card.observation.shape, np.dtype(card.observation.dtype)
        self._mask_shape = (card.action.n or 0,)
        self._discrete = card.action.kind == "discrete"

    @property
    def inferences(self) -> int:
        return self._inferences + (self._policy.inferences if self._policy else 0)

    @property
    def is_open(self) -> bool:
        return self._policy is not None

    def shut(self) -> None:
        """Free the graph until it is asked again."""
        self._inferences, self._policy = self.inferences, None

    def _open(self) -> OnnxPolicy:
        self.used = time.monotonic()
        if self._policy is None:
            self._policy = self._make_policy()
        return self._policy

    def check(self, hello: Hello) -> None:
        card = self._card
        if not card.plays(hello.agent):
            text = f"expected an agent of {', '.join(card.agents)} for snapshot {card.name!r}, got: {hello.agent!r}"
            raise ProtocolError("mismatch", text)
        if (hello.game, hello.observation, hello.action) != (card.game, card.observation, card.action):
            text = f"expected the signature of {card.game} that snapshot {card.name!r} was made for, got another"
            raise ProtocolError("mismatch", text)

    def initial_state(self) -> State:
        try:
            return self._open().initial_state()
        except SnapshotError as error:
            raise ProtocolError("no_policy", str(error)) from error

    def answer_one(self, request: Request) -> Answer:
        fault = self._fault(request.act)
        if fault is not None:
            return fault
        try:
            policy = self._open()
            if policy.picks_one:
                return policy.pick_one(request.act.observation, request.act.mask, request.rng)
            return self._infer(policy, [request])[0]
        except (ControllerError, SnapshotError) as error:
            return ProtocolError("failed", str(error))

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        if len(requests) == 1:
            return [self.answer_one(requests[0])]
        answers: list[Answer] = [self._fault(request.act) for request in requests]
        good = [at for at, fault in enumerate(answers) if fault is None]
        for start in range(0, len(good), MAX_BATCH):
            part = good[start : start + MAX_BATCH]
            for at, answer in zip(part, self._answer_part([requests[at] for at in part]), strict=True):
                answers[at] = answer
        return answers

    def _answer_part(self, requests: Sequence[Request]) -> Sequence[Answer]:
        try:
            return self._infer(self._open(), requests)
        except ControllerError:
            return [self.answer_one(request) for request in requests]  # what one seat sent must not fail the others
        except SnapshotError as error:
            return [ProtocolError("failed", str(error))] * len(requests)

    def _fault(self, act: Act) -> ProtocolError | None:
        found = act.observation
        if type(found) is not np.ndarray:
            found = act.observation = np.asarray(found, self._dtype)
        if found.shape != self._shape or found.dtype != self._dtype:
            text = f"expected observation {self._dtype} {self._shape}, got {found.dtype} {found.shape}"
            return ProtocolError("mismatch", text)
        if act.mask is not None and act.mask.shape != self._mask_shape:
            return ProtocolError("mismatch", f"expected mask {self._mask_shape}, got {act.mask.shape}")
        return None

    def _infer(self, policy: OnnxPolicy, requests: Sequence[Request]) -> Sequence[Answer]:
        observations = _stack([request.act.observation for request in requests])
        generators = [request.rng for request in requests]
        draws = SeatDraws(generators) if len(generators) > 1 else generators[0]
        decision = policy.decide(
            observations, self._masks(requests), draws, state=_join([request.state for request in requests])
        )
        for name, values in decision.state.items():
            for at, request in enumerate(requests):
                request.state[name] = values[at : at + 1]
        return decision.actions.tolist() if self._discrete else list(decision.actions)

    def _masks(self, requests: Sequence[Request]) -> Any:
        masks = [request.act.mask for request in requests]
        if all(mask is None for mask in masks):
            return None
        return _stack([np.ones(self._mask_shape, np.int8) if mask is None else mask for mask in masks])


def _stack(arrays: Sequence[Any]) -> Any:
    first = arrays[0]
    if len(arrays) == 1:
        return first[None]
    if first.ndim == 0:
        return np.array(arrays)
    return np.concatenate(arrays).reshape(len(arrays), *first.shape)  # several times as fast as np.stack


def _join(states: Sequence[State]) -> State:
    if not states[0]:
        return {}
    return {name: np.concatenate([state[name] for state in states]) for name in states[0]}


@dataclass
class StorePolicies(Policies):
    """Every snapshot of a store; a seat that asks for the latest or the best changes to another one by itself."""

    store: SnapshotStore
    max_open: int = MAX_OPEN  # graphs in memory at once; the one longest unasked is shut and opened again when asked
    _slots: dict[tuple[str, str, str], Slot] = field(default_factory=dict)  # game, word and role
    _roles: dict[str, set[str]] = field(default_factory=dict)  # of a game, as far as its snapshots tell them apart
    _refreshes: int = 0
    _answerers: dict[str, SnapshotAnswerer] = field(default_factory=dict)

    def find(self, hello: Hello) -> Slot:
        word = hello.policy or "latest"
        key = hello.game, word, self._role(hello) if word in RESERVED else ""
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = Slot(self._load(*key))
        slot.answerer.check(hello)
        return slot

    def _role(self, hello: Hello) -> str:
        """The agent where some snapshot plays only certain ones, else "": the clients' words open no slots at will."""
        roles = self._roles.get(hello.game)
        if roles is None:
            roles = self._roles[hello.game] = {a for card in self.store.list(hello.game) for a in card.agents}
        return str(hello.agent) if str(hello.agent) in roles else ""

    def refresh(self) -> None:
        self._roles.clear()
        self._refreshes += 1
        words = RESERVED if self._refreshes % _BEST_EVERY == 0 else ("latest",)
        for (game, word, role), slot in self._slots.items():
            if word not in words or self.store.choose(word, game=game, agent=role) == slot.answerer.label:
                continue
            try:
                slot.answerer = self._load(game, word, role)
            except ProtocolError:
                continue  # what is there plays on

    @property
    def inferences(self) -> int:
        return sum(answerer.inferences for answerer in self._answerers.values())

    @property
    def open_count(self) -> int:
        """Graphs in memory now."""
        return sum(answerer.is_open for answerer in self._answerers.values())

    def _load(self, game: str, word: str, role: str) -> SnapshotAnswerer:
        if "/" in word or "\\" in word or word.endswith(".onnx"):
            raise ProtocolError("no_policy", f"expected latest, best or a name, got: {word[:80]!r}")
        try:
            snapshot = self.store.get(word, game=game, agent=role)
            name = snapshot.card.name
            if name not in self._answerers:
                self._answerers[name] = SnapshotAnswerer(partial(self._open, name, game))
        except SnapshotError as error:
            raise ProtocolError("no_policy", str(error)) from error
        return self._answerers[name]

    def _open(self, name: str, game: str) -> OnnxPolicy:
        opened = [answerer for answerer in self._answerers.values() if answerer.is_open]
        if len(opened) >= self.max_open:
            min(opened, key=lambda answerer: answerer.used).shut()
        return OnnxPolicy(self.store.get(name, game=game))


class FunctionAnswerer(Answerer):
    """A Python function of (observation), (observation, action_mask) or (observation, action_mask, rng)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.label = getattr(function, "__name__", "function")
        self._arguments = _argument_count(function)
        self.inferences = 0

    def check(self, hello: Hello) -> None:
        """Any game will do: the function sees what the seat sees."""

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        return [self._call(request) for request in requests]

    def _call(self, request: Request) -> Answer:
        act = request.act
        self.inferences += 1
        try:
            action = self._function(*(act.observation, act.mask, request.rng)[: self._arguments])
            return _as_wire(action, request.hello.action, act.mask)
        except Exception as error:  # noqa: BLE001  # whatever a user's function does, the server goes on
            text = f"{self.label} failed: {type(error).__name__}: {error}"
            return ProtocolError("failed", text[:2000])


def _argument_count(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not 1 <= len(places) <= 3:
        raise TypeError(f"expected a function (observation, action_mask) -> action, got: {function!r}")
    return len(places)


def _as_wire(action: Any, signature: ActionSignature, mask: Any) -> Answer:
    if signature.kind != "discrete":
        return np.asarray(action, signature.dtype or "int64")
    number = action.item() if isinstance(action, (np.ndarray, np.generic)) else action
    index = number - signature.start if isinstance(number, int) else -1
    if not 0 <= index < (signature.n or 0):
        end = signature.start + (signature.n or 0)
        raise ValueError(f"expected {signature.start} <= action < {end}, got: {str(action)[:80]!r}")
    if mask is not None and index < len(mask) and not mask[index]:
        raise ValueError(f"expected a legal action, one of {np.flatnonzero(mask)[:20].tolist()}, got: {number}")
    return number


@dataclass
class FunctionPolicies(Policies):
    """One function for every seat that asks."""

    answerer: FunctionAnswerer

    @property
    def inferences(self) -> int:
        return self.answerer.inferences

    def find(self, hello: Hello) -> Slot:
        return Slot(self.answerer)
