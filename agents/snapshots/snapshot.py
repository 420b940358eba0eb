"""Snapshot: a frozen policy, ONNX plus a card, verified wherever it comes from.

A snapshot is a folder ``NAME/`` with ``policy.onnx`` and ``card.json``.  The graph takes the env's observations:

    inputs   observation          (batch, *shape), the card's dtype
             action_mask          int8, (batch, n), 1 where legal; only where card.masked
             state_in_*           recurrent state or frame stack, any dtype, (batch, ...), all but the batch of
                                  fixed size; zeros at the start of an episode
    outputs  action_probabilities float32, (batch, n), 0 where illegal; multi_discrete: (batch, sum of nvec),
                                  each part summing to 1; multi_binary: (batch, n), the chance of a 1; both in the
                                  order of the flattened action where the card gives it a shape
             action_mean, action_log_std   float32, (batch, *shape), for a box: a normal variable, clipped to it
             action_raw_mean, action_raw_log_std   the same in their place, for a box with bounds: its tanh, from
                                  -1 and 1 stretched to the bounds, is the action
             value                float32, (batch,); optional
             state_out_*          the next state_in_*
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pydantic

from agents.errors import ErrorCode, UserError, code_of
from agents.files import FileError, read_file
from agents.seats.controller import SeatSpec
from agents.snapshots.card import MAX_CARD_BYTES, MAX_ONNX_BYTES, ActionSignature, ObservationSignature, SnapshotCard
from agents.snapshots.graph import MAX_VALUES, Graph, GraphError, Port, read_graph
from agents.snapshots.trust import is_trusted

__all__ = ["ActionSignature", "ObservationSignature", "Snapshot", "SnapshotCard", "SnapshotError"]

NORMAL = ("action_mean", "action_log_std")
SQUASHED = ("action_raw_mean", "action_raw_log_std")
"""Outputs of a box: of a normal variable, and of one that tanh squashes into the bounds (Haarnoja et al. 2018, appendix
C)."""

CARD_FILE = "card.json"
ONNX_FILE = "policy.onnx"


SnapshotFault = Literal["", "missing", "damaged", "renamed", "other game", "other seat", "taken"]
"""What is wrong with a snapshot; "renamed": its folder was; "taken": another one has its name."""


class SnapshotError(UserError):
    """A snapshot that does not exist, is broken, or does not fit the seat; `fault` says it for screens, if not ""."""

    def __init__(self, *args: object, code: ErrorCode = "invalid", fault: SnapshotFault = "") -> None:
        super().__init__(*args, code=code)
        self.fault: SnapshotFault = fault


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A verified frozen policy."""

    card: SnapshotCard
    onnx: bytes
    trusted: bool = False  # may run in this process; others run in a child with limits on memory and time

    def check(self, seat: SeatSpec) -> None:
        """Raise SnapshotError where this policy cannot play on `seat`."""
        from agents.spaces import action_signature, observation_signature  # gymnasium: not to list snapshots

        card = self.card
        if not card.plays(seat.agent):
            roles = ", ".join(card.agents)
            raise SnapshotError(
                f"expected an agent of {roles} for snapshot {card.name!r}, got: {seat.agent!r}", fault="other seat"
            )
        if (space := seat.space_for(card.obs_type)) is None:
            raise SnapshotError(
                f"expected a game that shows {card.obs_type!r}, which snapshot {card.name!r} of {card.game} decides "
                f"from, got: {seat.game}",
                fault="other seat",
            )
        try:
            observation = observation_signature(space)
            action = action_signature(seat.action_space)
        except TypeError as error:
            raise SnapshotError(f"no snapshot can play {seat.game}: {error}", fault="other seat") from error
        for word, own, other in (("observations", card.observation, observation), ("actions", card.action, action)):
            if own != other:
                raise SnapshotError(
                    f"expected {word} {_brief(own)} as snapshot {card.name!r} of {card.game} wants, "
                    f"got {_brief(other)} on seat {seat.agent!r} of {seat.game}",
                    fault="other seat",
                )


def _brief(signature: ObservationSignature | ActionSignature) -> str:
    text = signature.model_dump_json(exclude_defaults=True)
    return text if len(text) <= 160 else text[:157] + "..."


def make_snapshot(card: SnapshotCard, onnx: bytes) -> Snapshot:
    """A snapshot, its card's sha256 and size filled in; raises SnapshotError where card and graph differ."""
    card = card.model_copy(update={"sha256": hashlib.sha256(onnx).hexdigest(), "size": len(onnx)})
    return verify_snapshot(card, onnx)


def verify_snapshot(card: SnapshotCard, onnx: bytes) -> Snapshot:
    """Check the bytes against the card; raises SnapshotError naming the snapshot and the reason."""
    if len(onnx) > MAX_ONNX_BYTES:
        raise SnapshotError(
            f"{card.name}: expected at most {MAX_ONNX_BYTES} bytes of ONNX, got {len(onnx)}", fault="damaged"
        )
    if len(onnx) != card.size:
        raise SnapshotError(
            f"{card.name}: expected {card.size} bytes of ONNX as the card says, got {len(onnx)}", fault="damaged"
        )
    found = hashlib.sha256(onnx).hexdigest()
    if found != card.sha256:
        raise SnapshotError(
            f"{card.name}: expected ONNX with sha256 {card.sha256[:16]}…, got {found[:16]}…", fault="damaged"
        )
    try:
        check_graph(card, read_graph(onnx))
    except GraphError as error:
        raise SnapshotError(f"{card.name}: {error}", fault="damaged") from error
    return Snapshot(card, onnx)


def check_graph(card: SnapshotCard, graph: Graph) -> None:
    """Raise GraphError where the graph's ports are not those that the card promises."""
    _check_sizes(card)
    _expect(graph.inputs, "observation", card.observation.dtype, card.observation.shape)
    if card.masked:
        _expect(graph.inputs, "action_mask", "int8", (_width(card.action),))
    known = ["action_mask", "observation"] if card.masked else ["observation"]
    extra = [name for name in graph.inputs if name not in known and not name.startswith("state_in_")]
    if extra:
        raise GraphError(f"expected inputs {', '.join(known)} and state_in_*, got also: {extra[0]!r}")
    for port in graph.inputs.values():
        if port.name.startswith("state_in_"):
            _check_state(port, graph)
    if card.action.kind == "box":
        squashed = SQUASHED[0] in graph.outputs
        if squashed and not all(map(math.isfinite, (*(card.action.low or ()), *(card.action.high or ())))):
            raise GraphError(f"expected a box with bounds for {SQUASHED[0]}, got one without")
        for name in SQUASHED if squashed else NORMAL:
            _expect(graph.outputs, name, "float32", card.action.shape or ())
    else:
        _expect(graph.outputs, "action_probabilities", "float32", (_width(card.action),))


def _check_sizes(card: SnapshotCard) -> None:
    """A graph may leave its sizes open: the card's are then those that take memory."""
    shapes = (card.observation.shape, card.action.shape or (), (_width(card.action),))
    if (largest := max(math.prod(shape) for shape in shapes)) > MAX_VALUES:
        raise GraphError(f"expected observations and actions of at most {MAX_VALUES} values, got {largest}")


def _check_state(port: Port, graph: Graph) -> None:
    """A state begins as zeros, so its size must be known, and the output must fit the input."""
    name = port.name.replace("state_in_", "state_out_", 1)
    after = graph.outputs.get(name)
    if after is None:
        raise GraphError(f"expected an output {name!r} for the input {port.name!r}, got none")
    if port.dtype == "unknown" or not port.shape or port.shape[0] is not None or None in port.shape[1:]:
        raise GraphError(f"expected {port.name!r} as numbers (open batch, fixed …), got {port.dtype} {port.shape}")
    if after.dtype != port.dtype or (after.shape and not _fits(after, port.shape[1:])):
        raise GraphError(f"expected {name!r} as {port.dtype} {port.shape}, got {after.dtype} {after.shape}")


def _fits(port: Port, shape: tuple[int | None, ...]) -> bool:
    """Whether rows of the port may have that shape."""
    sizes = zip(port.shape[1:], shape, strict=False)
    return len(port.shape) == len(shape) + 1 and all(own in (None, size) for own, size in sizes)


def _width(action: ActionSignature) -> int:
    return sum(action.nvec) if action.nvec is not None else action.n or 0


def _expect(ports: dict[str, Port], name: str, dtype: str, shape: tuple[int, ...]) -> None:
    port = ports.get(name)
    if port is None:
        raise GraphError(f"expected a graph with {name!r}, got: {', '.join(ports) or 'nothing'}")
    if port.dtype != dtype or not _fits(port, shape):
        raise GraphError(f"expected {name!r} as {dtype} (batch, {shape}), got {port.dtype} {port.shape}")
    if port.shape[0] is not None:
        raise GraphError(f"expected {name!r} with an open batch axis, got one fixed at {port.shape[0]}")


def read_card(folder: Path) -> SnapshotCard:
    """The card of a snapshot's folder; raises SnapshotError with the reason where it is none."""
    if folder.is_symlink():
        raise SnapshotError(f"{folder.name}: expected a folder, got a link", fault="damaged")
    try:
        card = SnapshotCard.model_validate_json(_read(folder / CARD_FILE, MAX_CARD_BYTES))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SnapshotError(
            f"{folder.name}: expected a card, got at {where or 'its root'}: {first['msg']}", fault="damaged"
        ) from error
    if card.name != folder.name:
        raise SnapshotError(
            f"{folder.name}: expected a card with the folder's name, got: {card.name!r}", fault="renamed"
        )
    return card


def read_snapshot(folder: Path) -> Snapshot:
    """Read and verify a snapshot's folder; raises SnapshotError naming it and the reason."""
    snapshot = verify_snapshot(read_card(folder), _read(folder / ONNX_FILE, MAX_ONNX_BYTES))
    return replace(snapshot, trusted=is_trusted(snapshot.card.sha256))


def _read(path: Path, limit: int) -> bytes:
    """The whole of a plain file: a link or a pipe could lead anywhere."""
    name = f"{path.parent.name}/{path.name}"
    try:
        return read_file(path, most=limit, follow=False)
    except OSError as error:
        text = f"{name}: expected a plain file, got: {error.strerror or 'something else'}"
        raise SnapshotError(
            text, code=code_of(error), fault="missing" if code_of(error) == "not_found" else "damaged"
        ) from error
    except FileError as error:
        raise SnapshotError(
            f"{name}: expected a plain file of at most {limit} bytes, got more", fault="damaged"
        ) from error
