"""Keeps what an object holds: a function a kind, found by the full name of its class, so that nothing is imported.

A keeper returns a `Kept`: a function that brings the object back to this moment, the same object as before, and the
objects that it refers to.  What is kept is never handed out, so a state can be loaded any number of times.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from random import Random
from types import CellType, FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Kept(NamedTuple):
    """How one object is brought back, and what it refers to."""

    restore: Callable[[], object] | None  # None: it never changes
    parts: Iterable[Any] = ()
    size: int = 64  # rough bytes


Keeper = Callable[[Any], Kept]
CONSTANT = Kept(None)


def keep_nothing(one: object) -> Kept:
    """Objects that never change, or whose changes never matter to a game: fonts, clocks, windows."""
    return CONSTANT


def keep_list(one: list[Any]) -> Kept:
    copied = one[:]
    return Kept(partial(one.__setitem__, slice(None), copied), copied, 56 + 8 * len(copied))


def keep_dict(one: dict[Any, Any]) -> Kept:
    copied = dict(one)

    def restore() -> None:
        one.clear()
        one.update(copied)

    return Kept(restore, chain(copied, copied.values()), 64 + 24 * len(copied))


def keep_set(one: set[Any]) -> Kept:
    copied = one.copy()  # its order too, which depends on what was in it before

    def restore() -> None:
        one.clear()
        one.update(copied)

    return Kept(restore, copied, 64 + 16 * len(copied))


def keep_deque(one: Any) -> Kept:
    copied = tuple(one)

    def restore() -> None:
        one.clear()
        one.extend(copied)

    return Kept(restore, copied, 64 + 8 * len(copied))


def keep_bytes(one: bytearray) -> Kept:
    copied = bytes(one)
    return Kept(partial(one.__setitem__, slice(None), copied), (), len(copied))


def keep_tuple(one: tuple[Any, ...] | frozenset[Any]) -> Kept:
    return Kept(None, one)


def keep_cell(one: CellType) -> Kept:
    try:
        held = one.cell_contents
    except ValueError:  # empty
        return CONSTANT
    return Kept(partial(setattr, one, "cell_contents", held), (held,))


def keep_function(one: FunctionType) -> Kept:
    """A function may keep a state in the variables around it."""
    return Kept(None, one.__closure__ or ())


def keep_method(one: MethodType) -> Kept:
    return Kept(None, (one.__self__, one.__func__))


def keep_partial(one: partial[Any]) -> Kept:
    return Kept(None, (one.func, one.args, one.keywords))


class SharedBytes:
    """The newest saved content of large objects, shared by all states in which it is the same.

    Most pictures of a game never change, and comparing is several times as fast as copying.
    """

    LEAST = 4096

    def __init__(self) -> None:
        self._newest: dict[int, tuple[weakref.ref[Any], NDArray[np.uint8]]] = {}

    def of(self, one: Any, content: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
        """A copy of the content of `one`, in one row, and how many of its bytes are new."""
        number = id(one)
        known = self._newest.get(number)
        if known is not None and known[0]() is one and _is_same(content, known[1]):
            return known[1], 0
        copied = content.copy()
        if copied.size >= self.LEAST:
            self._newest[number] = weakref.ref(one, lambda _: self._newest.pop(number, None)), copied
        return copied, copied.size


def _is_same(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    """Whether two rows of bytes are; eight at a time, and mostly the first of them differ already."""
    if one.size != other.size or not np.array_equal(one[: SharedBytes.LEAST], other[: SharedBytes.LEAST]):
        return False
    even = one.size // 8 * 8
    return np.array_equal(one[:even].view(np.uint64), other[:even].view(np.uint64)) and np.array_equal(
        one[even:], other[even:]
    )


SHARED = SharedBytes()


def keep_array(one: NDArray[Any]) -> Kept:
    if not one.flags.writeable:
        return Kept(None, () if one.base is None else (one.base,))
    if one.nbytes < SharedBytes.LEAST or one.dtype.hasobject or not one.flags.c_contiguous:
        copied = one.copy()
        parts = iter(copied.flat) if one.dtype.hasobject else ()
        return Kept(partial(np.copyto, one, copied), parts, 128 + copied.nbytes)
    content, size = SHARED.of(one, one.reshape(-1).view(np.uint8))
    saved = content.view(one.dtype).reshape(one.shape)
    return Kept(partial(np.copyto, one, saved), (), 128 + size)


def keep_random(one: Random) -> Kept:
    return Kept(partial(one.setstate, one.getstate()), (), 2600)


def keep_generator(one: np.random.Generator) -> Kept:
    return keep_bits(one.bit_generator)


def keep_random_state(one: np.random.RandomState) -> Kept:
    return Kept(partial(one.set_state, one.get_state()), (), 2700)


def keep_bits(one: Any) -> Kept:
    """Bit generators; their `state` is a new dict, or one of arrays that are copied at once."""
    return Kept(partial(setattr, one, "state", one.state), (), 400)


def keep_space(one: Any) -> Kept:
    """Gymnasium's spaces: only what draws samples ever changes."""
    parts = one.spaces if hasattr(one, "spaces") else ()
    return Kept(None, chain((one._np_random,), parts.values() if isinstance(parts, dict) else parts))


_CONSTANTS: dict[str, Keeper] = dict.fromkeys(
    (
        "builtins.int", "builtins.float", "builtins.complex", "builtins.str", "builtins.bytes", "builtins.bool",
        "builtins.NoneType", "builtins.type", "builtins.module", "builtins.builtin_function_or_method",
        "builtins.method_descriptor", "builtins.wrapper_descriptor", "builtins.method-wrapper", "builtins.range",
        "builtins.slice", "builtins.ellipsis", "builtins.property", "builtins.NotImplementedType", "builtins.code",
        "builtins.mappingproxy", "builtins.weakref", "weakref.ReferenceType", "_thread.lock", "_thread.RLock",
        "numpy.generic", "numpy.dtype", "re.Pattern", "enum.Enum", "datetime.datetime", "pathlib.PurePath",
        "numpy.random.bit_generator.SeedSequence", "numpy.ufunc", "numpy._ArrayFunctionDispatcher",
        "logging.Logger", "typing._Final",
    ),
    keep_nothing,
)  # fmt: skip

KEEPERS: dict[str, Keeper] = _CONSTANTS | {
    "builtins.list": keep_list,
    "builtins.dict": keep_dict,
    "builtins.set": keep_set,
    "builtins.bytearray": keep_bytes,
    "builtins.tuple": keep_tuple,
    "builtins.frozenset": keep_tuple,
    "builtins.cell": keep_cell,
    "builtins.function": keep_function,
    "builtins.method": keep_method,
    "collections.deque": keep_deque,
    "functools.partial": keep_partial,
    "numpy.ndarray": keep_array,
    "random.Random": keep_random,
    "numpy.random._generator.Generator": keep_generator,
    "numpy.random.mtrand.RandomState": keep_random_state,
    "numpy.random.bit_generator.BitGenerator": keep_bits,
    "gymnasium.spaces.space.Space": keep_space,
}
"""By the full name of the class, or of the nearest base class, of an object."""


CONTAINERS = (keep_list, keep_dict, keep_set, keep_deque, keep_tuple, keep_array, keep_random)
"""Of kinds whose subclasses in Python may have attributes too."""


def slots_of(kind: type) -> Iterator[str]:
    """The names of the slots that instances of a class written in Python have."""
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                private = name.startswith("__") and not name.endswith("__")
                yield f"_{base.__name__.lstrip('_')}{name}" if private else name
