"""Gymnasium spaces: idle actions, legal actions, conversion of actions, and signatures."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from agents.seats.controller import Action, ActionMask
from agents.snapshots.card import ActionSignature, ObservationSignature


def idle_action(space: Any, mask: ActionMask | None = None) -> Action:
    """The idle action: 0, or the first legal one; zeros clipped to the bounds of a Box."""
    match space:
        case spaces.Discrete():
            return _idle_discrete(space, mask)
        case spaces.Box():
            zeros = np.zeros(space.shape, dtype=space.dtype)
            return np.clip(zeros, space.low, space.high).astype(space.dtype)
        case spaces.MultiDiscrete():
            return np.asarray(space.start, dtype=space.dtype).copy()
        case spaces.MultiBinary():
            return np.zeros(space.shape, dtype=space.dtype)
        case spaces.Dict():
            return {name: idle_action(part) for name, part in space.spaces.items()}
        case spaces.Tuple():
            return tuple(idle_action(part) for part in space.spaces)
    raise TypeError(f"expected a Discrete, Box, MultiDiscrete, MultiBinary, Dict or Tuple space, got: {space!r}")


def _idle_discrete(space: spaces.Discrete[Any], mask: ActionMask | None) -> int:
    start = int(space.start)
    if mask is None:
        return 0 if start <= 0 < start + int(space.n) else start
    if start <= 0 < start + len(mask) and mask[-start]:
        return 0
    return start + int(np.argmax(mask))


def is_legal(action: Action, space: Any, mask: ActionMask | None) -> bool:
    """Whether the mask allows an action of a Discrete space; no mask allows every one of any space."""
    return mask is None or bool(mask[action - int(getattr(space, "start", 0))])


def conform(action: Any, space: Any, mask: ActionMask | None = None) -> Action:
    """`action` as an element of `space`: a plain int, or an array of its dtype and shape.

    Raises ValueError where it is no element, or `mask` forbids it.
    """
    if isinstance(space, spaces.Discrete):
        return _conform_discrete(action, space, mask)
    if isinstance(space, (spaces.Box, spaces.MultiDiscrete, spaces.MultiBinary)):
        action = _as_array(action, space)
    if not _contains(space, action):
        raise ValueError(f"expected an element of {space}, got: {_quoted(action)}")
    return action


def _contains(space: Any, action: Any) -> bool:
    try:
        return bool(space.contains(action))
    except (ValueError, TypeError, OverflowError):  # a list of -1 and None is no array of uint8
        return False


def _conform_discrete(action: Any, space: spaces.Discrete[Any], mask: ActionMask | None) -> int:
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.item()
    start = int(space.start)
    end = start + int(space.n)
    if not isinstance(action, (int, np.integer)) or not start <= action < end:
        raise ValueError(f"expected an int {start} <= action < {end}, got: {_quoted(action)}")
    if mask is not None and not mask[int(action) - start]:
        legal = ", ".join(str(start + int(i)) for i in np.flatnonzero(mask)[:20])
        raise ValueError(f"expected a legal action, one of {legal}, got: {int(action)}")
    return int(action)


def _as_array(action: Any, space: Any) -> Any:
    try:
        array = np.asarray(action)
    except ValueError:
        return action
    if array.dtype.kind not in "biuf":
        return action
    if array.dtype == space.dtype:
        return array
    with np.errstate(all="ignore"):
        cast = array.astype(space.dtype)
    rounds = cast.dtype.kind == "f"
    same = np.isfinite(cast) == np.isfinite(array) if rounds else cast == array
    if not same.all():  # a uint8 of 300 would be 44, a float32 of 1e300 infinite
        raise ValueError(f"expected an element of {space}, got: {_quoted(action)}")
    return cast


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def observation_signature(space: Any) -> ObservationSignature:
    """The shape and dtype of one observation; raises TypeError for a space that is no single array."""
    if space is None or getattr(space, "shape", None) is None or isinstance(space, (spaces.Dict, spaces.Tuple)):
        raise TypeError(f"expected an observation space with one shape and dtype, got: {space!r}")
    return ObservationSignature(shape=tuple(space.shape), dtype=np.dtype(space.dtype).name)


def action_signature(space: Any) -> ActionSignature:
    """The kind of action and its limits; raises TypeError for a composite space."""
    match space:
        case spaces.Discrete():
            return ActionSignature(kind="discrete", n=int(space.n), start=int(space.start))
        case spaces.Box():
            low, high = (tuple(bound.reshape(-1).astype(float).tolist()) for bound in (space.low, space.high))
            dtype = np.dtype(space.dtype).name
            return ActionSignature(kind="box", shape=tuple(space.shape), dtype=dtype, low=low, high=high)
        case spaces.MultiDiscrete():
            if np.any(space.start):
                raise TypeError(f"expected a MultiDiscrete action space that starts at 0, got: {space!r}")
            nvec = tuple(int(n) for n in space.nvec.reshape(-1))
            return ActionSignature(kind="multi_discrete", nvec=nvec, shape=_shape_if_not_flat(space))
        case spaces.MultiBinary():
            return ActionSignature(kind="multi_binary", n=int(np.prod(space.shape)), shape=_shape_if_not_flat(space))
    raise TypeError(f"expected a Discrete, Box, MultiDiscrete or MultiBinary action space, got: {space!r}")


def action_space(signature: ActionSignature) -> spaces.Space[Any]:
    """The space that a signature describes."""
    shape = signature.shape or ()
    match signature.kind:
        case "discrete":
            return spaces.Discrete(signature.n or 0, start=signature.start)
        case "multi_discrete":
            return spaces.MultiDiscrete(np.reshape(signature.nvec or (), signature.shape or (-1,)))
        case "multi_binary":
            return spaces.MultiBinary(shape or signature.n or 0)
    dtype = np.dtype(signature.dtype or "float32")
    low, high = (np.reshape(bound or (), shape).astype(dtype) for bound in (signature.low, signature.high))
    return spaces.Box(low, high, shape, dtype.type)


def _shape_if_not_flat(space: Any) -> tuple[int, ...] | None:
    return None if len(space.shape) == 1 else tuple(space.shape)
