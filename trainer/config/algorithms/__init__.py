"""The table of algorithms: all of the modules of this folder, and the entry points of other packages.

An algorithm has two parts: here its settings and what it can do, and its implementation in trainer.algorithms.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Iterator
from importlib.metadata import entry_points

from trainer.config.algorithms.algorithm import Algorithm

GROUP = "trainer.algorithms"
"""Entry points that name an Algorithm."""

_FIRST = "PPO"  # the default, and the first in lists

_log = logging.getLogger(__name__)


def _built_in() -> Iterator[Algorithm]:
    for module in pkgutil.iter_modules(__path__):
        names = vars(importlib.import_module(f"{__name__}.{module.name}"))
        yield from (value for value in names.values() if isinstance(value, Algorithm))


def _installed() -> Iterator[Algorithm]:
    """Those of other packages; one that cannot be imported is logged and left out."""
    for point in entry_points(group=GROUP):
        try:
            found = point.load()
            if not isinstance(found, Algorithm):
                raise TypeError(f"expected an Algorithm, got: {found!r}")
        except Exception as error:  # noqa: BLE001  (another package's code)
            _log.warning("the algorithm %s of %s is left out: %s", point.name, point.value, error)
        else:
            yield found


def _table() -> dict[str, Algorithm]:
    own = sorted(_built_in(), key=lambda algorithm: (algorithm.name != _FIRST, algorithm.name))
    table = {algorithm.name: algorithm for algorithm in own}
    for algorithm in _installed():
        table.setdefault(algorithm.name, algorithm)
    return table


ALGORITHMS = _table()
"""Name to algorithm."""
