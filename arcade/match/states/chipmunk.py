"""Spaces of pymunk 7, whose contacts remember forces that its API does not set.

So the memory of the space itself is copied.  Chipmunk keeps contacts and the trees of its two spatial indices in
buffers of one size; each is written back where it was.  The layout below is that of Chipmunk 7
(https://github.com/slembcke/Chipmunk2D/tree/Chipmunk-7.0.3), and every space is first checked to be laid out so: a
space of another version counts as one that cannot be copied, as does one with constraints.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from ctypes import CDLL, POINTER, Structure, c_double, c_int, c_size_t, c_uint32, c_void_p, cast, memmove, string_at
from functools import partial
from typing import Any

from arcade.match.states.errors import StateError, UnknownKindError
from arcade.match.states.keepers import Kept, keep_dict

_BUFFER_BYTES = 32 * 1024
_BODY_BYTES = 272
_VERSION = "7."
Restore = Callable[[], object]


class _Array(Structure):
    _fields_ = (("num", c_int), ("max", c_int), ("items", POINTER(c_void_p)))


class _Bin(Structure):
    _fields_ = (("item", c_void_p), ("hash", c_void_p), ("next", c_void_p))


class _HashSet(Structure):
    _fields_ = (
        ("entries", c_uint32), ("size", c_uint32), ("equal", c_void_p), ("default", c_void_p),
        ("table", POINTER(c_void_p)), ("pooled", c_void_p), ("buffers", POINTER(_Array)),
    )  # fmt: skip


class _Tree(Structure):
    _fields_ = (
        ("kind", c_void_p), ("box_of", c_void_p), ("static_index", c_void_p), ("dynamic_index", c_void_p),
        ("velocity_of", c_void_p), ("leaves", POINTER(_HashSet)), ("root", c_void_p), ("pooled_nodes", c_void_p),
        ("pooled_pairs", c_void_p), ("buffers", POINTER(_Array)), ("stamp", c_uint32),
    )  # fmt: skip


class _Space(Structure):
    _fields_ = (
        ("iterations", c_int), ("gravity", c_double * 2), ("damping", c_double), ("idle_speed", c_double),
        ("sleep_time", c_double), ("collision_slop", c_double), ("collision_bias", c_double),
        ("collision_persistence", c_uint32), ("data", c_void_p), ("stamp", c_uint32), ("step", c_double),
        ("dynamic_bodies", POINTER(_Array)), ("static_bodies", POINTER(_Array)), ("roused_bodies", POINTER(_Array)),
        ("sleeping", POINTER(_Array)), ("shape_ids", c_void_p), ("static_shapes", POINTER(_Tree)),
        ("dynamic_shapes", POINTER(_Tree)), ("constraints", POINTER(_Array)), ("arbiters", POINTER(_Array)),
        ("contacts_head", c_void_p), ("cached_arbiters", POINTER(_HashSet)), ("pooled_arbiters", POINTER(_Array)),
        ("buffers", POINTER(_Array)),
    )  # fmt: skip


_NUMBERS = (
    "iterations", "damping", "idle_speed", "sleep_time", "collision_slop", "collision_bias", "collision_persistence",
    "stamp", "step", "shape_ids", "contacts_head",
)  # fmt: skip
_BODIES = ("dynamic_bodies", "static_bodies", "roused_bodies", "sleeping")
_ARRAYS = (*_BODIES, "arbiters", "pooled_arbiters")


def keep_space(proxy: Any) -> Kept:
    """A space to which nothing is added and from which nothing is removed while it is played."""
    space = _Space.from_address(_address(proxy._space))
    if not _is_laid_out_so(space, proxy):
        raise UnknownKindError("expected a space of pymunk 7 without constraints, got another one")
    members = _members(space)
    own = keep_wrapper(proxy)
    trees = [tree.contents for tree in (space.static_shapes, space.dynamic_shapes)]
    restorers = [
        *filter(None, (own.restore,)), _fields(space, _NUMBERS), _items(space.gravity),
        *(_array(getattr(space, name).contents) for name in _ARRAYS), *_buffers(space.buffers.contents),
        *_hash_set(space.cached_arbiters.contents), *(restore for tree in trees for restore in _tree(tree)),
    ]  # fmt: skip

    def restore() -> None:
        if _members(space) != members:
            raise StateError("expected the bodies and shapes that were there, got others")
        for one in restorers:
            one()

    return Kept(restore, own.parts, 8 * _BUFFER_BYTES)


def keep_body(proxy: Any) -> Kept:
    own, address = keep_wrapper(proxy), _address(proxy._body)
    content = string_at(address, _BODY_BYTES)

    def restore() -> None:
        assert own.restore is not None
        own.restore()
        memmove(address, content, _BODY_BYTES)

    return Kept(restore, own.parts, 400)


def keep_wrapper(proxy: Any) -> Kept:
    """The attributes in Python of an object of pymunk, but for what it points to."""
    kept = keep_dict(proxy.__dict__)
    return kept._replace(parts=[part for part in kept.parts if type(part).__module__ != "_cffi_backend"])


def _size_of_memory() -> Any:
    """The function of the C library that says how large a piece of memory is: a buffer may lack its last bytes."""
    found = getattr(CDLL(None), "malloc_usable_size", None) if sys.platform == "linux" else None
    if found is not None:
        found.argtypes, found.restype = (c_void_p,), c_size_t
    return found


_room = _size_of_memory()


def _address(pointer: Any) -> int:
    from pymunk._chipmunk_cffi import ffi  # here, where a game has imported it

    return int(ffi.cast("uintptr_t", pointer))


def _is_laid_out_so(space: _Space, proxy: Any) -> bool:
    from pymunk import version

    known = (proxy.iterations, *proxy.gravity, proxy.damping, proxy.collision_slop, proxy.current_time_step)
    bodies = {proxy.static_body, *proxy.bodies}
    return (
        _room is not None
        and version.startswith(_VERSION)
        and (space.iterations, *space.gravity, space.damping, space.collision_slop, space.step) == known
        and not proxy.constraints
        and not space.constraints.contents.num
        and all(_looks_like(body) for body in bodies)
        and sum(_members(space)[-2:]) == len(proxy.shapes)
    )


def _looks_like(body: Any) -> bool:
    numbers = cast(_address(body._body), POINTER(c_double))
    known = (*body.position, *body.velocity, *body.force, body.angle, body.angular_velocity, body.torque)
    return tuple(numbers[8:17]) == known


def _members(space: _Space) -> tuple[Any, ...]:
    arrays = [getattr(space, name).contents for name in _BODIES]
    held = [tuple(array.items[: array.num]) for array in arrays]
    trees = (space.static_shapes.contents, space.dynamic_shapes.contents)
    return (*held, *(tree.leaves.contents.entries for tree in trees))


def _fields(owner: Structure, names: tuple[str, ...]) -> Restore:
    values = [getattr(owner, name) for name in names]

    def restore() -> None:
        for name, value in zip(names, values, strict=True):
            setattr(owner, name, value)

    return restore


def _items(items: Any) -> Restore:
    values = tuple(items)
    return lambda: items.__setitem__(slice(None), values)


def _array(array: _Array) -> Restore:
    """Its memory may have grown, and never shrinks."""
    content = string_at(array.items, array.num * 8) if array.num else b""
    num = array.num

    def restore() -> None:
        array.num = num
        if content:
            memmove(array.items, content, len(content))

    return restore


def _buffers(array: _Array) -> Iterator[Restore]:
    """The content of all buffers; those that are added later are unused again."""
    for address in array.items[: array.num]:
        content = string_at(address, min(_BUFFER_BYTES, _room(address)))
        yield partial(memmove, address, content, len(content))


def _tree(tree: _Tree) -> Iterator[Restore]:
    yield _fields(tree, ("root", "pooled_nodes", "pooled_pairs", "stamp"))
    yield from _buffers(tree.buffers.contents)
    yield from _hash_set(tree.leaves.contents)


def _hash_set(found: _HashSet) -> Iterator[Restore]:
    """Its bins lie in its buffers, and its table has the first of each chain."""
    yield _fields(found, ("entries", "pooled"))
    yield from _buffers(found.buffers.contents)
    heads = found.table[: found.size]

    def restore() -> None:
        if found.size == len(heads):
            for at, head in enumerate(heads):
                found.table[at] = head
        else:
            _relink(found, heads)

    yield restore


def _relink(found: _HashSet, heads: list[int | None]) -> None:
    """Fill a table that has grown since."""
    for at in range(found.size):
        found.table[at] = None
    for head in heads:
        while head:
            one = _Bin.from_address(head)
            at = (one.hash or 0) % found.size
            following, one.next, found.table[at] = one.next, found.table[at], head
            head = following
