"""Exports any torch module to the ONNX graph of a snapshot.  Imports torch: import it late."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.snapshots.card import SnapshotCard
from agents.snapshots.games import SeatSample
from agents.snapshots.runtime import onnxruntime
from agents.snapshots.snapshot import NORMAL, SnapshotError

TOLERANCE = 1e-4
"""Of outputs, relative to the largest: float32 sums in another order."""

OPSET = 17
DETERMINISTIC = -10.0
"""Log standard deviation of a box policy that gives none."""


def export(model: Any, card: SnapshotCard, sample: SeatSample, *, output: str, takes_mask: bool) -> bytes:
    """The ONNX bytes of `model` as a snapshot's graph; raises SnapshotError unless both compute the same."""
    if not isinstance(model, nn.Module):
        raise SnapshotError(f"expected a torch module or the path of an ONNX file, got: {type(model).__name__}")
    if takes_mask and sample.masks is None:
        raise SnapshotError(f"expected a module of one argument, as {card.game} has no action masks, got one of two")
    was_training, device = model.training, next((p.device for p in model.parameters()), torch.device("cpu"))
    graph = _Graph(model, card, output=output, takes_mask=takes_mask).eval().cpu()
    try:
        feeds = _feeds(sample)
        data = _export(graph, feeds)
        _compare(graph, feeds, data)
        return data
    except SnapshotError:
        raise
    except Exception as error:
        text = str(error).strip().splitlines()[0] if str(error).strip() else "no message"
        raise SnapshotError(f"{card.name}: the module failed: {type(error).__name__}: {text}") from error
    finally:
        model.train(was_training).to(device)


class _Graph(nn.Module):
    """The module with the inputs and outputs of a snapshot."""

    def __init__(self, model: nn.Module, card: SnapshotCard, *, output: str, takes_mask: bool) -> None:
        super().__init__()
        self.model, self._card, self._output, self._takes_mask = model, card, output, takes_mask

    def forward(self, *feeds: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.outputs(*feeds).values())

    def outputs(self, observation: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        """Outputs by name, in the graph's order."""
        seen = observation.float()
        legal = None if mask is None else mask.float()
        got = self.model(seen, legal) if self._takes_mask else self.model(seen)
        parts = list(got) if isinstance(got, (tuple, list)) else [got]
        value = self._pop_value(parts)
        found = (
            self._box(parts)
            if self._card.action.kind == "box"
            else {"action_probabilities": self._shares(parts, legal)}
        )
        return found if value is None else found | {"value": value.reshape(-1)}

    def _pop_value(self, parts: list[Tensor]) -> Tensor | None:
        """The last part where it has one number a row, beside the action's."""
        most = 1 if self._card.action.kind != "box" else 2
        if len(parts) > most + 1 or not parts:
            raise SnapshotError(f"expected a module that returns at most {most + 1} tensors here, got {len(parts)}")
        width = int(np.prod(self._card.action.shape or (0,))) if self._card.action.kind == "box" else 0
        has_value = len(parts) == most + 1 or (len(parts) == 2 and parts[1][0].numel() == 1 and width != 1)
        return parts.pop() if has_value else None

    def _box(self, parts: list[Tensor]) -> dict[str, Tensor]:
        shape = (-1, *(self._card.action.shape or ()))
        mean = parts[0].reshape(shape)
        log_std = parts[1] + torch.zeros_like(parts[0]) if len(parts) > 1 else torch.full_like(parts[0], DETERMINISTIC)
        return dict(zip(NORMAL, (mean, log_std.reshape(shape)), strict=True))

    def _shares(self, parts: list[Tensor], legal: Tensor | None) -> Tensor:
        action = self._card.action
        width = sum(action.nvec) if action.nvec is not None else action.n or 0
        out = parts[0].flatten(1)
        if out.shape[1] != width:
            raise SnapshotError(f"expected a module that returns (batch, {width}) here, got {tuple(parts[0].shape)}")
        if action.kind == "multi_binary":
            return out if self._output == "probabilities" else torch.sigmoid(out)
        pieces = torch.split(out, list(action.nvec), dim=1) if action.nvec is not None else (out,)
        return torch.cat([self._distribution(piece, legal) for piece in pieces], dim=1)

    def _distribution(self, out: Tensor, legal: Tensor | None) -> Tensor:
        """Probabilities of one choice, 0 where illegal."""
        if self._output == "probabilities":
            return out if legal is None else out * legal
        allowed = out if legal is None else out - 1e9 * (1 - legal)
        if self._output == "q_values":
            best = (allowed >= allowed.amax(dim=1, keepdim=True)).float()
            return best / best.sum(dim=1, keepdim=True)
        shares = torch.softmax(allowed, dim=1)
        return shares if legal is None else shares * legal


def _feeds(sample: SeatSample) -> dict[str, NDArray[Any]]:
    feeds = {"observation": np.ascontiguousarray(sample.observations)}
    return feeds if sample.masks is None else feeds | {"action_mask": np.ascontiguousarray(sample.masks, np.int8)}


def _export(graph: _Graph, feeds: dict[str, NDArray[Any]]) -> bytes:
    few = {name: torch.as_tensor(feed[:2]) for name, feed in feeds.items()}
    with torch.no_grad():
        outputs = list(graph.outputs(*few.values()))
    buffer: Any = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's newer exporter takes half a minute a graph; the old one is deprecated
        torch.onnx.export(
            graph, tuple(few.values()), buffer, dynamo=False, opset_version=OPSET, input_names=list(few),
            output_names=outputs, dynamic_axes={name: {0: "batch"} for name in [*few, *outputs]},
        )  # fmt: skip
    data: bytes = buffer.getvalue()
    return data


def _compare(graph: _Graph, feeds: dict[str, NDArray[Any]], data: bytes) -> None:
    with torch.no_grad():
        expected = graph.outputs(*(torch.as_tensor(feed) for feed in feeds.values()))
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    known = {port.name for port in session.get_inputs()}
    got = session.run(list(expected), {name: feed for name, feed in feeds.items() if name in known})
    for (name, ours), theirs in zip(expected.items(), got, strict=True):
        difference = float(np.abs(ours.numpy() - theirs).max(initial=0.0))
        if not difference <= TOLERANCE * max(1.0, float(np.abs(theirs).max(initial=0.0))):
            raise SnapshotError(
                f"expected {name!r} in ONNX within {TOLERANCE} of torch, got a difference of {difference:g}"
            )
