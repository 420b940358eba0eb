"""The seats of a policy server's clients: who plays them, and checks of what they observe."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from agents.wire.limits import (
    IDLE_SECONDS,
    MAX_REQUEST_BYTES,
    MAX_SEATS,
    MAX_SEATS_A_PEER,
    MAX_SMALL_BYTES,
)
from agents.wire.messages import Act, Hello, ProtocolError
from agents.wire.peers import Peer
from agents.wire.served_policies import Policies, ServedPolicy

_SMALL = 1024  # values: above, numpy may sum with several threads

Key = tuple[bytes, int]
"""The identity of a client's connection, and the client's own number of the seat."""


class ServedSeat:
    """One seat from its hello on."""

    __slots__ = ("_dtype", "_is_float", "_mask_shape", "_peer", "_shape", "hello", "number", "policy", "used")

    def __init__(self, hello: Hello, policy: ServedPolicy, peer: Peer, now: float) -> None:
        self.hello, self.policy, self._peer, self.used = hello, policy, peer, now
        seen = hello.observation_of(policy.obs_type) or hello.observation
        self._shape, self._dtype = seen.shape, np.dtype(seen.dtype)
        self._is_float = self._dtype.kind == "f"
        self._mask_shape = (hello.action.n,) if hello.action.kind == "discrete" else None
        self.number = policy.begin(hello.seed)  # at this policy
        peer.seats += 1

    def fault(self, act: Act) -> ProtocolError | None:
        """Why the policy cannot be asked; None where it can, with arrays of the seat's shape and dtype."""
        try:
            found = act.observation
            if type(found) is not np.ndarray:
                found = act.observation = np.asarray(found, self._dtype)
            if found.shape != self._shape or found.dtype != self._dtype:
                raise ValueError(f"expected observation {self._dtype} {self._shape}, got {found.dtype} {found.shape}")
            if self._is_float and _has_nan(found):
                raise ValueError("expected numbers in the observation, got NaN")
            if act.mask is not None:
                self._check_mask(act)
        except (ValueError, TypeError, OverflowError) as error:
            return ProtocolError("mismatch", str(error))
        return None

    def _check_mask(self, act: Act) -> None:
        mask = act.mask
        if mask.shape != self._mask_shape or mask.dtype.itemsize != 1:
            raise ValueError(f"expected mask int8 {self._mask_shape}, got {mask.dtype} {mask.shape}")
        if mask.view(np.uint8).max(initial=0) != 1:
            raise ValueError("expected a mask of 0 and 1 with a legal action, got another")
        act.mask = mask.view(np.int8)

    def follow(self, policies: Policies) -> None:
        """Change to the policy that the seat gets now, with a fresh memory, if it fits."""
        with suppress(ProtocolError):
            newer = policies.find(self.hello)
            if newer is not self.policy and newer.obs_type == self.policy.obs_type:
                self.policy.leave(self.number)
                self.policy, self.number = newer, newer.begin(self.hello.seed)

    def leave(self) -> None:
        """Free the place at the policy."""
        self._peer.seats -= 1
        self.policy.leave(self.number)


class ServedSeats:
    """All seats, at most MAX_SEATS_A_PEER of a client and MAX_SEATS together."""

    def __init__(self) -> None:
        self._seats: dict[Key, ServedSeat] = {}
        self.get = self._seats.get
        self._looked_at = -math.inf  # when idle seats were last looked for

    def __len__(self) -> int:
        return len(self._seats)

    def __iter__(self) -> Iterator[ServedSeat]:
        return iter(self._seats.values())

    def open(self, key: Key, hello: Hello, policies: Policies, peer: Peer, now: float) -> ServedSeat:
        """Open or reopen a seat; raises ProtocolError where no policy plays it, or there is no room."""
        largest = _largest_act(hello)
        policy = policies.find(hello)
        self.forget(key)
        if peer.seats >= MAX_SEATS_A_PEER:
            raise ProtocolError("refused", f"expected at most {MAX_SEATS_A_PEER} seats of one client, got more")
        if len(self._seats) >= MAX_SEATS:
            self._forget_idle(now)
        seat = self._seats[key] = ServedSeat(hello, policy, peer, now)
        peer.largest = max(peer.largest, largest)
        return seat

    def forget(self, key: Key) -> None:
        """Close a seat, if it is open."""
        seat = self._seats.pop(key, None)
        if seat is not None:
            seat.leave()

    def _forget_idle(self, now: float) -> None:
        """Make room; raises ProtocolError where every seat is in use."""
        if now - self._looked_at > 1.0:
            self._looked_at = now
            for key in [key for key, seat in self._seats.items() if now - seat.used > IDLE_SECONDS]:
                self.forget(key)
        if len(self._seats) >= MAX_SEATS:
            raise ProtocolError("busy", f"expected at most {MAX_SEATS} seats at once, got more")


def _has_nan(array: NDArray[np.floating]) -> bool:
    """Whether there is a NaN; infinities are allowed.  Both ways need no array in between."""
    least = np.vdot(array, array) if array.size <= _SMALL else array.min()
    return bool(least != least)


def _largest_act(hello: Hello) -> int:
    """Bytes of the seat's acts; raises ProtocolError for one that no message holds."""
    seen = (hello.observation, *hello.others.values())
    values = max(math.prod(one.shape) * np.dtype(one.dtype).itemsize for one in seen)
    size = values + (hello.action.n or 0) + MAX_SMALL_BYTES
    if size > MAX_REQUEST_BYTES:
        raise ProtocolError("too_large", f"expected acts of at most {MAX_REQUEST_BYTES} bytes, got {size}")
    return size
