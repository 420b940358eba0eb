"""How agents get better: self-play training and imitation of recorded play, with RLlib and torch.

    import trainer

    run = trainer.train(trainer.RunConfig(game="house/volley", steps=1_000_000))
    clone = trainer.imitate("house/volley", person="Ada")

Importing it is cheap; ray and torch are imported by the first call.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainer.api import Run as Run
    from trainer.api import imitate as imitate
    from trainer.api import train as train
    from trainer.config import ConfigError as ConfigError
    from trainer.config import RunConfig as RunConfig

_WHERE = {
    "ConfigError": "trainer.config", "Run": "trainer.api", "RunConfig": "trainer.config", "imitate": "trainer.api",
    "train": "trainer.api",
}  # fmt: skip

__all__ = ["ConfigError", "Run", "RunConfig", "imitate", "train"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)
