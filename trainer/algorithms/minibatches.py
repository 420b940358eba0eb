"""Minibatches: the rows of a batch that each gradient step learns from, gathered into tensors made once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

Rows = Mapping[str, Tensor]


class Minibatches:
    """Minibatches of every policy side by side, until the one with the most rows had `epochs` passes.

    A policy with fewer rows makes more passes.  A minibatch may end one pass and begin the next.  These are the rules,
    and without `shuffle` the minibatches, of RLlib's MiniBatchCyclicIterator; with it, each pass has an order of its
    own.  `size` 0: all rows of a policy each time.  `count` overrules `epochs`: so many are made in any case,
    empty ones where all policies were stopped.

    A minibatch's tensors are valid until the next one.
    """

    def __init__(
        self, batch: Mapping[str, Rows], *, size: int, epochs: int, shuffle: bool, count: int = 0
    ) -> None:  # fmt: skip
        self._batch = batch
        self.rows = {id: len(next(iter(rows.values()))) for id, rows in batch.items()}
        self.sizes = {id: size or rows for id, rows in self.rows.items()}
        needed = (-(-epochs * rows // self.sizes[id]) for id, rows in self.rows.items())
        self.count = count or max(needed, default=0)
        self.made = dict.fromkeys(batch, 0)  # minibatches of each policy so far
        self._learning, self._all = list(batch), bool(count)
        self._orders = {id: self._order(id, shuffle=shuffle) for id in batch}
        self._gathered = {
            id: {name: column.new_empty((self.sizes[id], *column.shape[1:])) for name, column in rows.items()}
            for id, rows in batch.items()
        }

    def __iter__(self) -> Iterator[dict[str, dict[str, Tensor]]]:
        for number in range(self.count):
            if not (self._learning or self._all):
                return
            for id in self._learning:
                self.made[id] += 1
            yield {id: self._gather(id, number) for id in self._learning}

    def stop(self, id: str) -> None:
        """Leave the policy out of all later minibatches."""
        self._learning.remove(id)

    def _order(self, id: str, *, shuffle: bool) -> Tensor | None:
        """The numbers of the rows of all minibatches, one after the other; None: always all rows in order."""
        rows, size = self.rows[id], self.sizes[id]
        if not shuffle and size == rows:
            return None
        device = next(iter(self._batch[id].values())).device
        passes = -(-self.count * size // rows)
        arrange = torch.randperm if shuffle else torch.arange
        return torch.cat([arrange(rows, device=device) for _ in range(passes)])

    def _gather(self, id: str, number: int) -> dict[str, Tensor]:
        order, size = self._orders[id], self.sizes[id]
        if order is None:
            return dict(self._batch[id])
        chosen, gathered = order[number * size : (number + 1) * size], self._gathered[id]
        for name, column in self._batch[id].items():
            torch.index_select(column, 0, chosen, out=gathered[name])
        return gathered
