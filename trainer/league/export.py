"""Freezes policies to snapshots: one ONNX graph per architecture, into which weights and buffers are copied by name.

The graph has the inputs and outputs of a snapshot: the network's `distribution` names the outputs of the actions, its
`memory` the state that goes in and out; ``value`` is there if the network has one.
"""

from __future__ import annotations

import copy
import io
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from agents.snapshots.card import KLPenalty
from agents.snapshots.runtime import onnxruntime
from agents.snapshots.sessions import session_options
from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from trainer.config import ConfigError
from trainer.config.reading import RECIPE_KEY
from trainer.config.sections import WrapperSettings
from trainer.networks.seat import Heads, SeatNetwork
from trainer.sampling.plan import Policy

TOLERANCE = 1e-5
OPSET = 17
CHECKED_STEPS = 3
"""Consecutive decisions in which a recurrent network is compared with its graph."""

PREFIX = "network."
"""Prefix of the weights' names in the graph."""

Array = NDArray[Any]


class ExportError(RuntimeError):
    """The graph does not compute the same as the network: nothing was frozen."""


class Exporter:
    """Exports networks of one architecture; the first call makes the graph, later ones only copy weights."""

    def __init__(self, observation_space: Any, action_space: Any, *, masked: bool) -> None:
        self._spaces = (observation_space, action_space)
        self._masked = masked
        self._template: onnx.ModelProto | None = None

    def export(self, network: SeatNetwork, *, observations: Array, masks: NDArray[np.int8] | None) -> bytes:
        """The ONNX bytes of `network`; raises ExportError unless torch agrees to 1e-5 on these observations."""
        whole = network.whole()
        if self._template is None:
            self._template = self._make_template(whole)
        data: bytes = _filled(self._template, whole).SerializeToString()
        self._check(data, whole, observations, masks)
        return data

    def _make_template(self, network: SeatNetwork) -> onnx.ModelProto:
        seen, action = self._spaces
        inputs = {"observation": torch.zeros((2, *seen.shape), dtype=torch.as_tensor(np.zeros(1, seen.dtype)).dtype)}
        if self._masked:
            inputs["action_mask"] = torch.ones((2, int(action.n)), dtype=torch.int8)
        inputs |= {f"state_in_{name}": part for name, part in network.begin(2).items()}
        graph = _Graph(_all_different(network), list(inputs)).eval()
        with torch.no_grad():
            outputs = list(graph.outputs(graph.heads(*inputs.values())))
        buffer: Any = io.BytesIO()  # torch annotates a path alone
        with warnings.catch_warnings():
            # torch's newer exporter takes half a minute a graph and renames weights; the old one is deprecated.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                graph, tuple(inputs.values()), buffer, dynamo=False, do_constant_folding=False, opset_version=OPSET,
                input_names=list(inputs), output_names=outputs,
                dynamic_axes={name: {0: "batch"} for name in [*inputs, *outputs]},
            )  # fmt: skip
        model = _with_unused(onnx.load_from_string(buffer.getvalue()), network)
        onnx.helper.set_model_props(model, {RECIPE_KEY: json.dumps(network.recipe)})
        return model

    def _check(self, data: bytes, network: SeatNetwork, observations: Array, masks: NDArray[np.int8] | None) -> None:
        """Compare torch with onnxruntime, each with its own memory where there is one."""
        feeds: dict[str, Array] = {"observation": np.ascontiguousarray(observations)}
        if self._masked:
            if masks is None:
                raise ExportError("expected action masks beside the observations of a masked game, got none")
            feeds["action_mask"] = np.ascontiguousarray(masks, np.int8)
        memory = {f"state_in_{name}": part.numpy() for name, part in network.begin(len(observations)).items()}
        graph = _Graph(network, [*feeds, *memory])
        session = onnxruntime.InferenceSession(data, session_options(), providers=["CPUExecutionProvider"])
        names = [port.name for port in session.get_outputs()]
        ours, theirs = memory, memory
        for step in range(CHECKED_STEPS if memory else 1):
            # Rows shift from step to step, so that the memory matters.
            now = {name: np.roll(feed, step, axis=0) for name, feed in feeds.items()}
            with torch.no_grad():
                heads = graph.heads(*(torch.as_tensor(feed) for feed in (now | ours).values()))
                expected = {name: tensor.numpy() for name, tensor in graph.outputs(heads).items()}
            got = dict(zip(names, session.run(names, now | theirs), strict=True))
            _compare(expected, got, settled=network.distribution.is_stable(heads.inputs.numpy()))
            ours, theirs = _next_memory(expected), _next_memory(got)


def network_state(network: SeatNetwork) -> Iterator[tuple[str, Tensor]]:
    """Weights and buffers by name: the whole state of a network."""
    yield from network.named_parameters()
    yield from network.named_buffers()


class _Graph(nn.Module):
    """The network with the inputs and outputs of a snapshot."""

    def __init__(self, network: SeatNetwork, inputs: list[str]) -> None:
        super().__init__()
        self.network = network
        self._inputs = inputs

    def heads(self, *feeds: Tensor) -> Heads:
        ports = dict(zip(self._inputs, feeds, strict=True))
        memory = {name: ports[f"state_in_{name}"] for name in self.network.memory}
        heads: Heads = self.network(ports["observation"], ports.get("action_mask"), memory)
        return heads

    def outputs(self, heads: Heads) -> dict[str, Tensor]:
        """Outputs by name, in the graph's order."""
        outputs: dict[str, Tensor] = self.network.distribution.graph_outputs(heads.inputs)
        if heads.value is not None:
            outputs["value"] = heads.value
        return outputs | {f"state_out_{name}": heads.memory[name] for name in self.network.memory}

    def forward(self, *feeds: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.outputs(self.heads(*feeds)).values())


def _compare(expected: Mapping[str, Array], got: Mapping[str, Array], *, settled: NDArray[np.bool_]) -> None:
    """Raises ExportError for a difference; actions are compared in the `settled` rows only."""
    for name, ours in expected.items():
        rows = settled if name.startswith("action_") else slice(None)
        theirs = got[name][rows].astype(np.float32)
        difference = float(np.abs(ours[rows].astype(np.float32) - theirs).max(initial=0.0))
        if not difference <= TOLERANCE * max(1.0, float(np.abs(theirs).max(initial=0.0))):
            raise ExportError(f"expected {name!r} within {TOLERANCE} of torch, got a difference of {difference}")


def _next_memory(outputs: Mapping[str, Array]) -> dict[str, Array]:
    outs = (name for name in outputs if name.startswith("state_out_"))
    return {name.replace("_out_", "_in_", 1): outputs[name] for name in outs}


def _all_different(network: SeatNetwork) -> SeatNetwork:
    """A copy with random weights: the exporter would merge equal tensors, such as zero biases."""
    copied = copy.deepcopy(network)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for _, weight in network_state(copied):
            weight.copy_(torch.randn(weight.shape, generator=generator))
    return copied


def _with_unused(model: onnx.ModelProto, network: SeatNetwork) -> onnx.ModelProto:
    """Add the buffers that no output depends on, so that the graph has the whole state of the network."""
    there = {tensor.name for tensor in model.graph.initializer}
    for name, buffer in network.named_buffers():
        if PREFIX + name not in there:
            model.graph.initializer.append(numpy_helper.from_array(buffer.cpu().numpy(), PREFIX + name))
    return model


def _filled(template: onnx.ModelProto, network: SeatNetwork) -> onnx.ModelProto:
    """A copy of `template` with the state of `network`; raises ExportError unless the names match one to one."""
    model = onnx.ModelProto()
    model.CopyFrom(template)
    places = {tensor.name: tensor for tensor in model.graph.initializer}
    for name, weight in network_state(network):
        place = places.pop(PREFIX + name, None)
        if place is None or tuple(place.dims) != tuple(weight.shape):
            got = "none" if place is None else str(tuple(place.dims))
            raise ExportError(f"expected an initializer {PREFIX}{name} of shape {tuple(weight.shape)}, got: {got}")
        place.CopyFrom(numpy_helper.from_array(weight.detach().cpu().numpy(), place.name))
    if places:
        raise ExportError(f"expected initializers that are weights of the network, got also: {', '.join(places)}")
    return model


class Freezer:
    """Exports networks of one policy, checks them against torch, and saves them as snapshots."""

    def __init__(
        self, store: SnapshotStore, policy: Policy, *, game: str, run: str, algorithm: str,
        rules: WrapperSettings | None = None, obs_type: str = "", kl_penalty: KLPenalty | None = None,
    ) -> None:  # fmt: skip
        """`rules` and `obs_type` are those that the policy is trained by; None and "" for a game as it is."""
        rules = rules or WrapperSettings()
        self._store = store
        self._exporter = Exporter(policy.observation_space, policy.action_space, masked=policy.masked)
        self._facts = {
            "game": game,
            "agents": tuple(str(agent) for agent in policy.agents),
            "observation": observation_signature(policy.observation_space),
            "action": action_signature(policy.action_space),
            "masked": policy.masked,
            "obs_type": obs_type,
            "frame_skip": rules.frame_skip,
            "sticky_actions": rules.sticky_actions,
            "algorithm": algorithm,
            "kl_penalty": kl_penalty,
            "run": run,
        }

    def freeze(
        self, network: SeatNetwork, *, name: str, step: int, parent: str, note: str, seconds: float = 0.0,
        observations: NDArray[Any], masks: NDArray[np.int8] | None,
    ) -> Snapshot:  # fmt: skip
        """Raises ExportError or SnapshotError; nothing is saved then."""
        data = self._exporter.export(network, observations=observations, masks=masks)
        facts = {"step": step, "trained_seconds": round(seconds, 3), "parent": parent, "note": note, **self._facts}
        card = SnapshotCard(name=name, **facts)
        return self._store.save(card, data)


def snapshot_name(run: str, number: int) -> str:
    """The name of a run's snapshot number 0, 1, …"""
    stem = re.sub(r"[^a-z0-9._-]+", "-", run.lower()).strip("-._") or "run"
    return f"{stem[:80]}-{number:04d}"


def load_weights(network: SeatNetwork, snapshot: Snapshot, *, field: str = "start_from") -> None:
    """Load a snapshot's weights and running statistics; raises ConfigError, and changes nothing, if layers differ.

    `field` is the setting that names the snapshot.
    """
    graph = onnx.load_from_string(snapshot.onnx).graph
    theirs = {t.name.removeprefix(PREFIX): numpy_helper.to_array(t) for t in graph.initializer}
    own = dict(network_state(network.whole()))
    for name in [*own, *theirs]:
        wanted = tuple(own[name].shape) if name in own else None
        got = tuple(theirs[name].shape) if name in theirs else None
        if wanted != got:
            raise ConfigError(
                f"{field}: expected {name} {_describe(wanted)} in snapshot {snapshot.card.name!r}, "
                f"got it {_describe(got)}; set algorithm, network and wrappers as in the run that made it"
            )
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(torch.from_numpy(theirs[name].copy()))


def _describe(shape: tuple[int, ...] | None) -> str:
    return "absent" if shape is None else f"of shape {shape}"
