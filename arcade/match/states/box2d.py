"""Worlds of Box2D 2.3, whose contacts and joints remember forces that its Python API neither shows nor sets.

So the memory of the world itself is copied.  A world keeps its bodies, joints and contacts in chunks of one allocator,
beside the tree of its broad phase; each is written back where it was.  The layout below is that of the C++ classes of
the same names (https://github.com/erincatto/box2d/tree/v2.3.1/Box2D), and every world is first checked to be laid out
so: a world of another version counts as one that cannot be copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import POINTER, Structure, c_bool, c_char, c_float, c_int32, c_uint32, c_void_p, memmove, string_at
from typing import Any

from arcade.match.states.errors import UnknownKindError
from arcade.match.states.keepers import Kept, keep_dict

_CHUNK_BYTES = 16 * 1024
_NODE_BYTES = 40
_BLOCK_BYTES = (16, 32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640)


class _Chunk(Structure):
    _fields_ = (("block_size", c_int32), ("blocks", c_void_p))


class _BlockAllocator(Structure):
    _fields_ = (
        ("chunks", POINTER(_Chunk)), ("count", c_int32), ("space", c_int32), ("free", c_void_p * len(_BLOCK_BYTES)),
    )  # fmt: skip


class _StackEntry(Structure):
    _fields_ = (("data", c_void_p), ("size", c_int32), ("used_malloc", c_bool))


class _StackAllocator(Structure):
    _fields_ = (
        ("data", c_char * (100 * 1024)), ("index", c_int32), ("allocation", c_int32), ("most", c_int32),
        ("entries", _StackEntry * 32), ("entry_count", c_int32),
    )  # fmt: skip


class _Tree(Structure):
    _fields_ = (
        ("root", c_int32), ("nodes", c_void_p), ("node_count", c_int32), ("node_capacity", c_int32),
        ("free", c_int32), ("path", c_uint32), ("insertions", c_int32),
    )  # fmt: skip


class _BroadPhase(Structure):
    _fields_ = (
        ("tree", _Tree), ("proxy_count", c_int32), ("moves", c_void_p), ("move_capacity", c_int32),
        ("move_count", c_int32), ("pairs", c_void_p), ("pair_capacity", c_int32), ("pair_count", c_int32),
        ("query", c_int32),
    )  # fmt: skip


class _ContactManager(Structure):
    _fields_ = (
        ("broad_phase", _BroadPhase), ("contacts", c_void_p), ("contact_count", c_int32), ("filter", c_void_p),
        ("listener", c_void_p), ("allocator", c_void_p),
    )  # fmt: skip


class _World(Structure):
    _fields_ = (
        ("allocator", _BlockAllocator), ("stack", _StackAllocator), ("flags", c_int32), ("manager", _ContactManager),
        ("bodies", c_void_p), ("joints", c_void_p), ("body_count", c_int32), ("joint_count", c_int32),
        ("gravity", c_float * 2), ("allow_sleep", c_bool), ("on_destruction", c_void_p), ("debug_draw", c_void_p),
        ("inverse_step", c_float), ("warm_starting", c_bool), ("continuous", c_bool), ("sub_stepping", c_bool),
        ("step_complete", c_bool),
    )  # fmt: skip


_HELD = (
    ("flags",), ("manager", "contacts"), ("manager", "contact_count"), ("bodies",), ("joints",), ("body_count",),
    ("joint_count",), ("gravity",),
    ("allow_sleep",), ("inverse_step",), ("warm_starting",), ("continuous",), ("sub_stepping",), ("step_complete",),
    ("manager", "broad_phase", "proxy_count"), ("manager", "broad_phase", "move_count"),
    ("manager", "broad_phase", "tree", "root"), ("manager", "broad_phase", "tree", "node_count"),
    ("manager", "broad_phase", "tree", "node_capacity"), ("manager", "broad_phase", "tree", "free"),
    ("manager", "broad_phase", "tree", "path"), ("manager", "broad_phase", "tree", "insertions"),
)  # fmt: skip
"""The fields that play changes; buffers stay where they are now, since they may have grown since."""


def keep_world(proxy: Any) -> Kept:
    """A world without bodies or joints that come and go while it is played."""
    world = _World.from_address(int(proxy.this))
    if not _is_laid_out_so(world, proxy):
        raise UnknownKindError("expected a world of Box2D 2.3, got one of another version")
    fields = [_value(_owner(world, path), path[-1]) for path in _HELD]
    chunks = [(chunk.blocks, string_at(chunk.blocks, _CHUNK_BYTES)) for chunk in _chunks(world)]
    free = tuple(world.allocator.free)
    phase = world.manager.broad_phase
    nodes = string_at(phase.tree.nodes, phase.tree.node_capacity * _NODE_BYTES)
    moves = string_at(phase.moves, phase.move_count * 4)

    def restore() -> None:
        for path, value in zip(_HELD, fields, strict=True):
            setattr(_owner(world, path), path[-1], value)
        for address, content in chunks:
            memmove(address, content, _CHUNK_BYTES)
        world.allocator.free[:] = free
        for chunk in list(_chunks(world))[len(chunks) :]:
            _set_free(world, chunk)
        memmove(phase.tree.nodes, nodes, len(nodes))
        memmove(phase.moves, moves, len(moves))

    kept = keep_dict(proxy.__dict__)

    def restore_both() -> None:
        assert kept.restore is not None
        kept.restore()
        restore()

    return Kept(restore_both, kept.parts, len(chunks) * _CHUNK_BYTES + len(nodes))


def _is_laid_out_so(world: _World, proxy: Any) -> bool:
    phase, manager = world.manager.broad_phase, world.manager
    return (
        (world.body_count, world.joint_count) == (proxy.bodyCount, proxy.jointCount)
        and (manager.contact_count, phase.proxy_count) == (proxy.contactCount, proxy.proxyCount)
        and tuple(world.gravity) == tuple(proxy.gravity)
        and (world.warm_starting, world.continuous) == (proxy.warmStarting, proxy.continuousPhysics)
        and (not world.body_count or world.bodies == int(proxy.bodies[-1].this))
        and world.stack.index == world.stack.entry_count == 0
        and 0 <= phase.tree.root < phase.tree.node_count <= phase.tree.node_capacity
        and phase.move_count <= phase.move_capacity
        and all(chunk.block_size in _BLOCK_BYTES for chunk in _chunks(world))
    )


def _owner(world: _World, path: tuple[str, ...]) -> Any:
    owner: Any = world
    for name in path[:-1]:
        owner = getattr(owner, name)
    return owner


def _value(owner: Any, name: str) -> Any:
    value = getattr(owner, name)
    return type(value)(*value) if name == "gravity" else value


def _chunks(world: _World) -> Iterator[_Chunk]:
    return (world.allocator.chunks[at] for at in range(world.allocator.count))


def _set_free(world: _World, chunk: _Chunk) -> None:
    """Offer the blocks of a chunk that was added since the save."""
    size = int(chunk.block_size)
    kind = _BLOCK_BYTES.index(size)
    for address in range(chunk.blocks, chunk.blocks + _CHUNK_BYTES - size + 1, size):
        c_void_p.from_address(address).value = world.allocator.free[kind]
        world.allocator.free[kind] = address
