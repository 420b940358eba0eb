"""GraphModule: a snapshot's ONNX graph as a torch module.  Imports torch: import it late."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from agents.snapshots.snapshot import SnapshotError

Attributes = Mapping[str, Any]
Operator = Callable[..., Any]

_DTYPES = {
    1: torch.float32, 2: torch.uint8, 3: torch.int8, 5: torch.int16, 6: torch.int32, 7: torch.int64, 9: torch.bool,
    10: torch.float16, 11: torch.float64,
}  # fmt: skip


class GraphModule(nn.Module):
    """Floating-point weights are parameters, `weights` by their names in the graph with dots as underscores."""

    def __init__(self, model: bytes, *, name: str = "snapshot") -> None:
        super().__init__()
        graph = onnx.load_from_string(model).graph
        unknown = {node.op_type for node in graph.node} - OPERATORS.keys()
        if unknown:
            raise SnapshotError(
                f"{name}: expected operators that torch is given here, got: {', '.join(sorted(unknown))}"
            )
        self.weights, self._constants = nn.ParameterDict(), dict[str, Tensor]()
        self._places = dict[str, str]()
        for tensor in graph.initializer:
            value = torch.from_numpy(numpy_helper.to_array(tensor).copy())
            if value.is_floating_point():
                self._places[tensor.name] = tensor.name.replace(".", "_").replace("/", "_").replace(":", "_")
                self.weights[self._places[tensor.name]] = nn.Parameter(value)
            else:
                self._constants[tensor.name] = value
        self._inputs = [port.name for port in graph.input if port.name not in {t.name for t in graph.initializer}]
        self._outputs = [port.name for port in graph.output]
        self._nodes = [
            (OPERATORS[node.op_type], list(node.input), list(node.output), _attributes(node)) for node in graph.node
        ]

    def forward(self, observation: Tensor, action_mask: Tensor | None = None, **state: Tensor) -> dict[str, Tensor]:
        """The graph's outputs by name; without a mask all actions are legal, without a state an episode begins."""
        values: dict[str, Any] = {"": None, "observation": observation, "action_mask": action_mask, **self._constants}
        values |= {name: self.weights[place] for name, place in self._places.items()} | state
        if missing := [name for name in self._inputs if values.get(name) is None]:
            raise ValueError(f"expected the inputs {', '.join(self._inputs)}, got none for: {', '.join(missing)}")
        for operator, inputs, outputs, attributes in self._nodes:
            got = operator(*(values[name] for name in inputs), **attributes)
            results = got if isinstance(got, (tuple, list)) else (got,)
            values |= dict(zip(outputs, results, strict=False))
        return {name: values[name] for name in self._outputs}


def _attributes(node: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in node.attribute:
        value = onnx.helper.get_attribute_value(one)
        if isinstance(value, onnx.TensorProto):
            value = torch.from_numpy(numpy_helper.to_array(value).copy())
        found[one.name] = value.decode() if isinstance(value, bytes) else value
    if node.op_type == "Split":
        found["parts"] = len(node.output)
    return found


def _ints(values: Tensor | None) -> list[int]:
    return [] if values is None else [int(value) for value in values.reshape(-1).tolist()]


def _gemm(
    a: Tensor, b: Tensor, c: Any = None, *, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0
) -> Tensor:
    product = alpha * ((a.T if transA else a) @ (b.T if transB else b))
    return product if c is None else product + beta * c


def _reshape(x: Tensor, shape: Tensor, *, allowzero: int = 0) -> Tensor:
    sizes = _ints(shape)
    return x.reshape([x.shape[i] if size == 0 and not allowzero else size for i, size in enumerate(sizes)])


def _slice(x: Tensor, starts: Tensor, ends: Tensor, axes: Any = None, steps: Any = None) -> Tensor:
    count = len(_ints(starts))
    places, strides = _ints(axes) or list(range(count)), _ints(steps) or [1] * count
    index = [slice(None)] * x.ndim
    for axis, start, end, step in zip(places, _ints(starts), _ints(ends), strides, strict=True):
        if step < 0:
            raise SnapshotError("expected slices forwards, got one backwards")
        index[axis] = slice(start, None if end > x.shape[axis] else end, step)
    return x[tuple(index)]


def _split(x: Tensor, sizes: Any = None, *, axis: int = 0, parts: int = 1, num_outputs: int = 0) -> tuple[Tensor, ...]:
    own = _ints(sizes) if sizes is not None else -(-x.shape[axis] // parts)
    return torch.split(x, own, dim=axis)


def _squeeze(x: Tensor, axes: Any = None) -> Tensor:
    return x.squeeze() if axes is None else x.squeeze(tuple(_ints(axes)))


def _unsqueeze(x: Tensor, axes: Tensor) -> Tensor:
    for axis in sorted(axis % (x.ndim + len(_ints(axes))) for axis in _ints(axes)):
        x = x.unsqueeze(axis)
    return x


def _reduce(function: Operator) -> Operator:
    def reduce(
        x: Tensor, given: Any = None, *, axes: Any = None, keepdims: int = 1, noop_with_empty_axes: int = 0
    ) -> Tensor:
        places = _ints(given) if given is not None else list(axes or range(x.ndim))
        result: Tensor = function(x, dim=tuple(places), keepdim=bool(keepdims))
        return result

    return reduce


def _pooling(function: Operator) -> Operator:
    def pool(x: Tensor, *, kernel_shape: Any, strides: Any = None, pads: Any = None, **more: Any) -> Tensor:
        before = _symmetric(pads, len(kernel_shape))
        result: Tensor = function(x, tuple(kernel_shape), stride=tuple(strides or kernel_shape), padding=before)
        return result

    return pool


def _symmetric(pads: Any, axes: int) -> tuple[int, ...]:
    own = list(pads or [0] * 2 * axes)
    if own[:axes] != own[axes:]:
        raise SnapshotError(f"expected equal padding on both sides, got: {own}")
    return tuple(own[:axes])


def _conv(
    x: Tensor,
    w: Tensor,
    b: Any = None,
    *,
    strides: Any = None,
    pads: Any = None,
    dilations: Any = None,
    group: int = 1,
    **more: Any,
) -> Tensor:
    axes = w.ndim - 2
    function: Operator = (functional.conv1d, functional.conv2d, functional.conv3d)[axes - 1]
    result: Tensor = function(
        x, w, b, stride=tuple(strides or [1] * axes), padding=_symmetric(pads, axes),
        dilation=tuple(dilations or [1] * axes), groups=group,
    )  # fmt: skip
    return result


def _constant(
    *,
    value: Any = None,
    value_float: Any = None,
    value_int: Any = None,
    value_ints: Any = None,
    value_floats: Any = None,
) -> Tensor:
    given = next(one for one in (value, value_float, value_int, value_ints, value_floats) if one is not None)
    return given if isinstance(given, Tensor) else torch.as_tensor(np.asarray(given))


def _gather(x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    rows = torch.where(indices < 0, indices + x.shape[axis], indices)
    found = x.index_select(axis, rows.reshape(-1))
    return found.reshape(*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


_ZERO = torch.zeros(1)

OPERATORS: Mapping[str, Operator] = {
    "Abs": torch.abs,
    "Add": torch.add,
    "And": torch.logical_and,
    "ArgMax": lambda x, *, axis=0, keepdims=1, select_last_index=0: x.argmax(dim=axis, keepdim=bool(keepdims)),
    "AveragePool": _pooling(functional.avg_pool2d),
    "Cast": lambda x, *, to, saturate=1: x.to(_DTYPES[to]),
    "Clip": lambda x, low=None, high=None: torch.clamp(x, low, high) if low is not None or high is not None else x,
    "Concat": lambda *parts, axis: torch.cat(parts, dim=axis),
    "Constant": _constant,
    "ConstantOfShape": lambda shape, *, value=_ZERO: torch.full(_ints(shape), value.item(), dtype=value.dtype),
    "Conv": _conv,
    "Div": lambda a, b: a / b if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc"),
    "Dropout": lambda x, *ignored, seed=0: x,
    "Elu": lambda x, *, alpha=1.0: functional.elu(x, alpha),
    "Equal": torch.eq,
    "Erf": torch.erf,
    "Exp": torch.exp,
    "Expand": lambda x, shape: x.expand(torch.broadcast_shapes(x.shape, tuple(_ints(shape)))),
    "Flatten": lambda x, *, axis=1: x.reshape(int(np.prod(x.shape[:axis])), -1),
    "Gather": _gather,
    "Gemm": _gemm,
    "Greater": torch.gt,
    "GreaterOrEqual": torch.ge,
    "Identity": lambda x: x,
    "LeakyRelu": lambda x, *, alpha=0.01: functional.leaky_relu(x, alpha),
    "Less": torch.lt,
    "LessOrEqual": torch.le,
    "Log": torch.log,
    "LogSoftmax": lambda x, *, axis=-1: torch.log_softmax(x, axis),
    "MatMul": torch.matmul,
    "Max": lambda *parts: _fold(torch.maximum, parts),
    "MaxPool": _pooling(functional.max_pool2d),
    "Min": lambda *parts: _fold(torch.minimum, parts),
    "Mul": torch.mul,
    "Neg": torch.neg,
    "Not": torch.logical_not,
    "Or": torch.logical_or,
    "Pow": torch.pow,
    "ReduceMax": _reduce(torch.amax),
    "ReduceMean": _reduce(torch.mean),
    "ReduceMin": _reduce(torch.amin),
    "ReduceSum": _reduce(torch.sum),
    "Relu": torch.relu,
    "Reshape": _reshape,
    "Shape": lambda x, *, start=0, end=None: torch.tensor(x.shape[start:end], dtype=torch.int64),
    "Sigmoid": torch.sigmoid,
    "Sign": torch.sign,
    "Slice": _slice,
    "Softmax": lambda x, *, axis=-1: torch.softmax(x, axis),
    "Softplus": functional.softplus,
    "Split": _split,
    "Sqrt": torch.sqrt,
    "Squeeze": _squeeze,
    "Sub": torch.sub,
    "Sum": lambda *parts: _fold(torch.add, parts),
    "Tanh": torch.tanh,
    "Transpose": lambda x, *, perm=None: x.permute(*(perm or range(x.ndim - 1, -1, -1))),
    "Unsqueeze": _unsqueeze,
    "Where": torch.where,
}
"""ONNX operator to its function: https://onnx.ai/onnx/operators"""


def _fold(function: Operator, parts: tuple[Tensor, ...]) -> Tensor:
    result = parts[0]
    for part in parts[1:]:
        result = function(result, part)
    return result
