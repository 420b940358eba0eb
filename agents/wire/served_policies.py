"""The policies of a policy server, snapshots or a function, with batched inference."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.policies.functions import FunctionBatch, argument_count, is_class
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import GraphCache
from agents.seats.controller import SeatSpec
from agents.snapshots.card import RESERVED, SnapshotCard
from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.spaces import action_space
from agents.wire.limits import MAX_ERROR_TEXT
from agents.wire.messages import Act, Hello, ProtocolError

MAX_BATCH = 256  # observations in one inference
MAX_OPEN = 16  # graphs
MAX_SPACES = 64  # spaces of actions that a function plays at once
_BEST_EVERY = 8  # refreshes: finding the best reads a rating of every snapshot from the ladder

Answer = Any
"""An action as it travels (int, float, list or array), or the ProtocolError with the reason for none."""


class ServedPolicy:
    """A batch policy with the seats that it plays for clients; `card` is that of a snapshot."""

    def __init__(self, policy: BatchPolicy, card: SnapshotCard | None = None) -> None:
        self.label, self.obs_type = policy.label, card.obs_type if card is not None else ""
        self._policy, self._card = policy, card
        self._held = policy.held if isinstance(policy, SnapshotBatch) else None
        self._free: list[int] = []  # numbers of seats that clients left
        self._seats = 0
        if card is not None:
            self._mask_shape = (card.action.n or 0,)

    def check(self, hello: Hello) -> None:
        """Raise ProtocolError where the snapshot cannot play for the seat; a function plays any."""
        card = self._card
        if card is None:
            return
        if not card.plays(hello.agent):
            text = f"expected an agent of {', '.join(card.agents)} for snapshot {card.name!r}, got: {hello.agent!r}"
            raise ProtocolError("mismatch", text)
        seen = hello.observation_of(card.obs_type)
        if seen is None:
            text = f"expected a seat that shows {card.obs_type!r} to snapshot {card.name!r}, got one without"
            raise ProtocolError("mismatch", text)
        if (hello.game, seen, hello.action) != (card.game, card.observation, card.action):
            text = f"expected the signature of {card.game} that snapshot {card.name!r} was made for, got another"
            raise ProtocolError("mismatch", text)

    def begin(self, seed: int | None) -> int:
        """The number of a new seat; None draws a seed."""
        if not self._free:
            self._free.append(self._seats)
            self._seats += 1
        seat = self._free.pop()
        self._policy.begin(np.array([seat]), [secrets.randbits(62) if seed is None else seed])
        return seat

    def leave(self, seat: int) -> None:
        """Free the number for another seat."""
        self._free.append(seat)

    def answer(self, seats: Sequence[int], acts: Sequence[Act]) -> list[Answer]:
        """The answer to each act, in order; never raises.  The acts have arrays as the seats' hellos say."""
        if len(acts) == 1 or not self._policy.is_vectorised:
            return [self._infer_one(seat, act) for seat, act in zip(seats, acts, strict=True)]
        answers: list[Answer] = []
        for start in range(0, len(acts), MAX_BATCH):
            answers += self._infer(seats[start : start + MAX_BATCH], acts[start : start + MAX_BATCH])
        return answers

    def _infer_one(self, seat: int, act: Act) -> Answer:
        try:
            self._set_ticks([seat], [act])
            return self._policy.act_one(seat, act.observation, act.mask)
        except Exception as error:  # noqa: BLE001  # a policy that fails leaves the others served
            text = str(error) if isinstance(error, UserError) else f"{self.label} failed: {error!r}"
            return ProtocolError("failed", text[:MAX_ERROR_TEXT])

    def _infer(self, seats: Sequence[int], acts: Sequence[Act]) -> Sequence[Answer]:
        try:
            self._set_ticks(seats, acts)
            actions = self._policy.act(np.array(seats), _stack([act.observation for act in acts]), self._masks(acts))
        except Exception:  # noqa: BLE001  # the observation of one seat must not fail the others
            return [self._infer_one(seat, act) for seat, act in zip(seats, acts, strict=True)]
        return actions.tolist() if actions.ndim == 1 else list(actions)

    def _set_ticks(self, seats: Sequence[int], acts: Sequence[Act]) -> None:
        """Acts may be several ticks apart: a match has frame skip, or the server was slow."""
        if self._held is not None and self._held.any:
            self._held.at(np.array(seats), [act.tick for act in acts])

    def _masks(self, acts: Sequence[Act]) -> Any:
        masks = [act.mask for act in acts]
        if all(mask is None for mask in masks):
            return None
        return _stack([np.ones(self._mask_shape, np.int8) if mask is None else mask for mask in masks])


def _stack(arrays: Sequence[Any]) -> Any:
    if len(arrays) == 1 or arrays[0].ndim == 0:
        return np.array(arrays)
    return np.concatenate(arrays).reshape(len(arrays), *arrays[0].shape)  # several times as fast as np.stack


class Policies(ABC):
    """Finds the policies of seats."""

    @abstractmethod
    def find(self, hello: Hello) -> ServedPolicy:
        """The policy that plays for the seat; raises ProtocolError where there is none."""

    def refresh(self) -> bool:
        """Look for newer policies, a few times a second; returns whether `find` may have another answer than before."""
        return False


def check_word(word: str) -> None:
    """Raise ProtocolError for a path: clients ask for latest, best or a name."""
    if "/" in word or "\\" in word or word.endswith(".onnx"):
        raise ProtocolError("no_policy", f"expected latest, best or a name, got: {word[:80]!r}")


class StorePolicies(Policies):
    """Every snapshot of a store; seats that ask for the latest or the best change to a newer one automatically.

    `max_open` is the number of graphs in memory at once.
    """

    def __init__(self, store: SnapshotStore, *, max_open: int = MAX_OPEN) -> None:
        self._store = store
        self.graphs = GraphCache(store, size=max_open)
        self._found: dict[tuple[str, str, str, bool], ServedPolicy] = {}  # by game, word, role and `sticks`
        self._roles: dict[str, set[str]] = {}  # the agents that a game's snapshots are limited to
        self._refreshes = 0
        self._policies: dict[tuple[str, bool], ServedPolicy] = {}  # by the snapshot's name and `sticks`

    def find(self, hello: Hello) -> ServedPolicy:
        word = hello.policy or "best"
        key = hello.game, word, self._role(hello) if word in RESERVED else "", hello.sticks
        if key not in self._found:
            self._found[key] = self._load(*key)
        self._found[key].check(hello)
        return self._found[key]

    def _role(self, hello: Hello) -> str:
        """The agent where some snapshot plays only certain ones, else "": clients cannot add roles."""
        roles = self._roles.get(hello.game)
        if roles is None:
            roles = self._roles[hello.game] = {a for card in self._store.list(hello.game) for a in card.agents}
        return str(hello.agent) if str(hello.agent) in roles else ""

    def refresh(self) -> bool:
        is_newer = False
        self._roles.clear()
        self._refreshes += 1
        words = RESERVED if self._refreshes % _BEST_EVERY == 0 else ("latest",)
        for (game, word, role, sticks), policy in self._found.items():
            if word not in words or self._store.choose(word, game=game, agent=role) == policy.label:
                continue
            with suppress(ProtocolError):  # the policy remains
                self._found[game, word, role, sticks] = self._load(game, word, role, sticks)
                is_newer = True
        return is_newer

    def _load(self, game: str, word: str, role: str, sticks: bool) -> ServedPolicy:
        check_word(word)
        try:
            card = self._store.get(word, game=game, agent=role).card
            if (card.name, sticks) not in self._policies:
                graphs = SnapshotBatch(lambda: self.graphs.get(card.name, card.game), sticks=sticks)
                self._policies[card.name, sticks] = ServedPolicy(graphs, card)
        except SnapshotError as error:
            raise ProtocolError("no_policy", str(error)) from error
        return self._policies[card.name, sticks]


class FunctionPolicies(Policies):
    """One Python function, or class of players, for every seat; see FunctionBatch."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        argument_count(function)  # raises ControllerError for a function that cannot be called so
        self._found: dict[str, ServedPolicy] = {}  # by the signature of the actions, and by the seat for a class

    def find(self, hello: Hello) -> ServedPolicy:
        key = hello.action.model_dump_json() + (str(hello.agent) if is_class(self._function) else "")
        if key not in self._found:
            try:
                actions = action_space(hello.action)
            except (ValueError, TypeError, OverflowError, MemoryError) as error:
                raise ProtocolError("mismatch", f"expected a space of actions, got: {error}") from error
            if len(self._found) >= MAX_SPACES:
                del self._found[next(iter(self._found))]
            place = SeatSpec(game=hello.game, agent=hello.agent, observation_space=None, action_space=actions)
            self._found[key] = ServedPolicy(FunctionBatch(self._function, [place]))
        return self._found[key]
