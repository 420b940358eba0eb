"""Memento: what all objects of a game hold at one moment, kept in memory and brought back in place.

The walk starts at an env and follows every reference.  Each object that can change is noted with a copy of what it
holds, one level deep; bringing it back writes that into the same objects again, so whatever refers to a part of the
game, as a reader of its score does, still refers to the living part.  Nothing is pickled, and no class is made anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arcade.match.states.errors import UnknownKindError
from arcade.match.states.keepers import (
    CONSTANT,
    CONTAINERS,
    KEEPERS,
    Keeper,
    Kept,
    keep_dict,
    keep_nothing,
    slots_of,
)
from arcade.match.states.libraries import LEFT_OUT, keep_own_state

_MISSING = object()
_ENVS = ("pettingzoo.utils.env.AECEnv", "pettingzoo.utils.env.ParallelEnv")


class Memento:
    """The state of `roots` and of all that they refer to; raises StateError where that cannot be saved.

    >>> game = {"score": [1, 2]}
    >>> saved = Memento(game)
    >>> game["score"].append(3)
    >>> saved.restore()
    >>> game
    {'score': [1, 2]}
    """

    def __init__(self, *roots: Any) -> None:
        restorers: list[Callable[[], object]] = []
        seen: dict[int, Any] = {}  # keeps the objects alive, so that no id is used twice
        size = 0
        waiting = list(roots)
        while waiting:
            one = waiting.pop()
            keeper = _BY_KIND.get(type(one)) or _find_keeper(type(one))
            if keeper is keep_nothing or id(one) in seen:
                continue
            seen[id(one)] = one
            kept = keeper(one)
            size += kept.size
            if kept.restore is not None:
                restorers.append(kept.restore)
            waiting.extend(kept.parts)
        self._restorers, self._seen = restorers, seen
        self.roots, self.size = roots, size  # size: rough bytes

    def restore(self) -> None:
        """Bring all of it back; any number of times."""
        for restore in self._restorers:
            restore()


_BY_KIND: dict[type, Keeper] = {}


def _find_keeper(kind: type) -> Keeper:
    """The keeper of the objects of a class: of its own name or of the nearest base's, else that of plain instances."""
    names = names_of(kind)
    keeper = next((KEEPERS[name] for name in names if name in KEEPERS), None)
    if keeper is None:
        saves_itself = all(callable(getattr(kind, name, None)) for name in ("get_state", "set_state"))
        is_env = any(name in _ENVS for name in names)
        keeper = keep_own_state if saves_itself and is_env else _instance_keeper(kind)
    elif keeper in CONTAINERS and kind.__dictoffset__:
        keeper = partial(_keep_with_attributes, keeper)
    _BY_KIND[kind] = keeper
    return keeper


def names_of(kind: type) -> list[str]:
    """The full names of a class and its bases, the nearest first."""
    return [f"{getattr(base, '__module__', 'builtins')}.{base.__qualname__}" for base in kind.__mro__]


def _keep_with_attributes(keeper: Keeper, one: Any) -> Kept:
    """A built-in kind whose subclass, written in Python, has attributes too."""
    kept = keeper(one)
    return Kept(kept.restore, (*kept.parts, one.__dict__), kept.size)


def _instance_keeper(kind: type) -> Keeper:
    """For instances of a class written in Python; one that has memory beside its attributes is not understood."""
    slots = tuple(dict.fromkeys(slots_of(kind)))
    room = object.__basicsize__ + 8 * (len(slots) + (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0))
    if kind.__basicsize__ > room:
        raise UnknownKindError(f"expected objects that can be copied, got: {kind.__module__}.{kind.__qualname__}")
    if slots:
        return partial(_keep_slots, slots)
    if not kind.__dictoffset__:
        return keep_nothing
    left_out = frozenset[str]().union(*(LEFT_OUT.get(name, ()) for name in names_of(kind)))
    return partial(_keep_but, left_out) if left_out else _keep_instance


def _keep_instance(one: Any) -> Kept:
    return keep_dict(one.__dict__)


def _keep_but(left_out: frozenset[str], one: Any) -> Kept:
    """All attributes, but nothing of what those `left_out` refer to."""
    kept = keep_dict(one.__dict__)
    return kept._replace(parts=[value for name, value in one.__dict__.items() if name not in left_out])


def _keep_slots(slots: tuple[str, ...], one: Any) -> Kept:
    values = [getattr(one, name, _MISSING) for name in slots]

    def restore() -> None:
        for name, value in zip(slots, values, strict=True):
            if value is not _MISSING:
                object.__setattr__(one, name, value)
            elif hasattr(one, name):
                object.__delattr__(one, name)

    own = getattr(one, "__dict__", CONSTANT)
    return Kept(restore, (own, *(value for value in values if value is not _MISSING)), 64 + 8 * len(values))
