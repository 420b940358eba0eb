"""PlayedStatistics: the statistics of observations with which an overlapped runner played a fragment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from trainer.networks.preprocess import RunningMoments


class PlayedStatistics:
    """Those of one update ago: an OverlappedRunner plays a fragment while the learner learns from the one before.

    Of the first fragments, also after a resume, they are the present ones.
    """

    def __init__(self) -> None:
        self._before: list[Tensor] | None = None

    @contextmanager
    def in_force(self, modules: Iterable[nn.Module]) -> Iterator[None]:
        """Let the modules normalise by the statistics of the fragment; afterwards by their own again."""
        parts = [part for module in modules for part in module.modules() if isinstance(part, RunningMoments)]
        buffers = [buffer for part in parts for buffer in part.buffers()]
        own = [buffer.clone() for buffer in buffers]
        _copy(self._before or own, buffers)
        try:
            yield
        finally:
            _copy(own, buffers)
            self._before = own


@torch.no_grad()
def _copy(values: list[Tensor], buffers: list[Tensor]) -> None:
    """In place: optimizers, exporters and other holders of the module keep looking at these very tensors."""
    for value, buffer in zip(values, buffers, strict=True):
        buffer.copy_(value)
