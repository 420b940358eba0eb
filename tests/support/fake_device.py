"""A device without hardware: its tensors compute on the processor and, as those of a GPU, never mix with others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import torch
from ray.rllib.core.learner.torch import torch_learner
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing

DEVICE = torch.device("meta")
"""Its name: that of a device which torch knows on every machine, and whose own tensors have no numbers."""

MOVES = {"_to_copy", "copy_"}


class DeviceTensor(torch.Tensor):
    """A tensor of the fake device; `held` has its numbers."""

    held: torch.Tensor

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> DeviceTensor:
        shape = {"strides": held.stride(), "storage_offset": held.storage_offset(), "dtype": held.dtype}
        tensor: Any = torch.Tensor._make_wrapper_subclass(cls, held.shape, device=DEVICE, **shape)
        tensor.held = held
        return tensor

    def __repr__(self, **_: Any) -> str:
        return f"DeviceTensor({self.held!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


class _Device(TorchDispatchMode):
    """Also tensors made or moved by name of the device are its own."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


class _Constructor(TorchFunctionMode):
    """`torch.tensor` moves what it makes where no dispatch mode sees it."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func is torch.tensor and kwargs.get("device") == DEVICE:
            gradient = kwargs.pop("requires_grad", False)
            made: Any = func(*args, **kwargs | {"device": "cpu"})
            return made.to(DEVICE).requires_grad_(gradient)
        return func(*args, **kwargs)


def _run(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    tensors = [one for one in pytree.tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
    on_device = any(isinstance(one, DeviceTensor) for one in tensors)
    name, target = func._schema.name.removeprefix("aten::"), kwargs.get("device")
    if on_device and name not in MOVES:
        for one in tensors:
            if not isinstance(one, DeviceTensor) and one.ndim:  # a single number may come from anywhere
                raise RuntimeError(
                    f"{name}: expected all tensors on one device, got one of {tuple(one.shape)} elsewhere"
                )
    if target is not None:
        kwargs = {**kwargs, "device": torch.device("cpu")}
        on_device = torch.device(target) == DEVICE
    elif name == "copy_":
        on_device = isinstance(args[0], DeviceTensor)
    held_args, held_kwargs = pytree.tree_map_only(DeviceTensor, lambda one: one.held, (args, kwargs))
    result = func(*held_args, **held_kwargs)
    if not on_device:
        return result
    result = pytree.tree_map_only(torch.Tensor, DeviceTensor, result)
    return return_and_correct_aliasing(func, args, kwargs, result)


@contextmanager
def fake_device() -> Iterator[None]:
    """Learners that are built and updated meanwhile are on the fake device."""
    fused = ["cpu", DEVICE.type]
    with (
        mock.patch.object(torch_learner, "get_device", return_value=DEVICE),
        mock.patch("torch.optim.adam._get_fused_kernels_supported_devices", return_value=fused, create=True),
        mock.patch("torch.optim.optimizer._get_fused_kernels_supported_devices", return_value=fused, create=True),
        _Device(),
        _Constructor(),
    ):
        yield
