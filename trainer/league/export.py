"""Freezing to ONNX: one export an architecture, then the weights are put in by name.

The graph takes `observation` (batch, *shape) in the env's dtype, and `action_mask` int8 (batch, n) where the game
has one.  It gives `action_probabilities` (Discrete) or `action_mean` and `action_log_std` (Box), and `value`.
"""

from __future__ import annotations

import copy
import io
import warnings
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from trainer.networks.seat import SeatNetwork

TOLERANCE = 1e-5
OPSET = 17


class ExportError(RuntimeError):
    """The graph is not the network: nothing was frozen."""


class Exporter:
    """Makes ONNX bytes of networks of one architecture; the first call exports (tens of ms), later ones fill in."""

    def __init__(self, observation_space: Any, action_space: Any, *, masked: bool) -> None:
        self._spaces = (observation_space, action_space)
        self._masked = masked
        self._template: onnx.ModelProto | None = None

    def export(self, network: SeatNetwork, *, observations: NDArray[Any], masks: NDArray[np.int8] | None) -> bytes:
        """The graph of `network`; raises ExportError unless it agrees to 1e-5 with torch on these observations."""
        if self._template is None:
            self._template = self._make_template(network)
        model = _filled(self._template, network)
        data: bytes = model.SerializeToString()
        self._check(data, network, observations, masks)
        return data

    def _make_template(self, network: SeatNetwork) -> onnx.ModelProto:
        seen, action = self._spaces
        inputs = [torch.zeros((2, *seen.shape), dtype=_torch_dtype(seen.dtype))]
        names = ["observation"]
        if self._masked:
            inputs.append(torch.ones((2, int(action.n)), dtype=torch.int8))
            names.append("action_mask")
        outputs = _output_names(network)
        buffer = io.BytesIO()
        with warnings.catch_warnings():
            # torch's newer exporter takes half a minute a graph and renames weights; the old one is deprecated.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                _Frozen(_all_different(network)).eval(),
                tuple(inputs),
                buffer,
                dynamo=False,
                do_constant_folding=False,
                opset_version=OPSET,
                input_names=names,
                output_names=outputs,
                dynamic_axes={name: {0: "batch"} for name in names + outputs},
            )
        return onnx.load_from_string(buffer.getvalue())

    def _check(
        self, data: bytes, network: SeatNetwork, observations: NDArray[Any], masks: NDArray[np.int8] | None
    ) -> None:
        feeds = {"observation": np.ascontiguousarray(observations)}
        if self._masked:
            if masks is None:
                raise ExportError("expected action masks beside the observations of a masked game, got none")
            feeds["action_mask"] = np.ascontiguousarray(masks, np.int8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        with torch.no_grad():
            expected = _Frozen(network)(*(torch.as_tensor(feed) for feed in feeds.values()))
        for name, ours, theirs in zip(_output_names(network), expected, session.run(None, feeds), strict=True):
            difference = float(np.abs(ours.numpy() - theirs).max(initial=0.0))
            if not difference <= TOLERANCE * max(1.0, float(np.abs(theirs).max(initial=0.0))):
                raise ExportError(f"expected {name!r} within {TOLERANCE} of torch, got a difference of {difference}")


class _Frozen(nn.Module):
    """What is exported: the network with probabilities for logits."""

    def __init__(self, network: SeatNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor, action_mask: Tensor | None = None) -> tuple[Tensor, ...]:
        features = self.network.preprocess(observation)
        out, value = self.network.policy_of(features, action_mask), self.network.value_of(features)
        shape = self.network.box_shape
        if shape is None:
            return torch.softmax(out, dim=1), value
        mean, log_std = out.chunk(2, dim=1)
        return mean.reshape(-1, *shape), log_std.reshape(-1, *shape), value


def _all_different(network: SeatNetwork) -> SeatNetwork:
    """A copy with other weights: the exporter would fold equal tensors, such as fresh zero biases, into one."""
    copied = copy.deepcopy(network)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in copied.parameters():
            weight.copy_(torch.randn(weight.shape, generator=generator))
    return copied


def _filled(template: onnx.ModelProto, network: SeatNetwork) -> onnx.ModelProto:
    """A copy of `template` with the weights of `network`; raises ExportError when one has no place of its own."""
    model = onnx.ModelProto()
    model.CopyFrom(template)
    places = {tensor.name: tensor for tensor in model.graph.initializer}
    for name, weight in network.named_parameters():
        place = places.get(f"network.{name}")
        if place is None or tuple(place.dims) != tuple(weight.shape):
            raise ExportError(
                f"expected an initializer network.{name} of shape {tuple(weight.shape)}, got: {sorted(places)}"
            )
        place.CopyFrom(numpy_helper.from_array(weight.detach().cpu().numpy(), place.name))
    return model


def _output_names(network: SeatNetwork) -> list[str]:
    if network.box_shape is None:
        return ["action_probabilities", "value"]
    return ["action_mean", "action_log_std", "value"]


def _torch_dtype(dtype: Any) -> torch.dtype:
    return torch.as_tensor(np.zeros(1, dtype)).dtype
