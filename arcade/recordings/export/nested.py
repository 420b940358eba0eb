"""Values of composite spaces: Dict and Tuple around arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray


def gathered(values: Sequence[Any] | NDArray[Any], space: Any) -> Any:
    """Stack values along a first axis, nested as `space` is; raises ValueError for values of other shapes."""
    if isinstance(space, spaces.Dict):
        return {key: gathered([value[key] for value in values], part) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(gathered([value[at] for value in values], part) for at, part in enumerate(space.spaces))
    shapes = {values.shape[1:]} if isinstance(values, np.ndarray) else {np.shape(value) for value in values}
    if space.shape is None or shapes != {space.shape}:
        raise ValueError(f"expected values of the shape {space.shape}, got: {', '.join(map(str, sorted(shapes)))}")
    return np.asarray(values, dtype=space.dtype)


def leaves(value: Any, name: str) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of a nested value by path: ``observation``, or ``observation.card`` of a Dict."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{name}.{key}")
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            yield from leaves(part, f"{name}.{at}")
    else:
        yield name, value


def size(value: Any) -> int:
    """Return the bytes of all arrays."""
    return sum(array.nbytes for _, array in leaves(value, ""))
