"""Arrays by name, and facts as JSON, in one npz file: nothing in it is ever unpickled."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FACTS = "facts.json"


def write_arrays(path: Path, arrays: Mapping[str, Any], facts: Any = None) -> None:
    """Write the file; `facts` are anything that JSON can hold."""
    path.write_bytes(pack_arrays(arrays, facts))


def pack_arrays(arrays: Mapping[str, Any], facts: Any = None) -> bytes:
    """The bytes of such a file."""
    buffer, names = io.BytesIO(), list(arrays)
    text = json.dumps({"names": names, "facts": facts}).encode()
    entries: dict[str, Any] = {f"a{number}": np.asarray(arrays[name]) for number, name in enumerate(names)}
    np.savez(buffer, **(entries | {_FACTS: np.frombuffer(text, np.uint8)}))
    return buffer.getvalue()


def read_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], Any]:
    """Arrays and facts of a file; raises ValueError for one that holds anything else."""
    with np.load(path, allow_pickle=False) as file:
        head = json.loads(file[_FACTS].tobytes())
        return {name: file[f"a{number}"] for number, name in enumerate(head["names"])}, head["facts"]
