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
    from trainer.api import Run, imitate, train
    from trainer.config import ConfigError, RunConfig

__project__ = "pettingzoo-arcade"
__all__ = ["ConfigError", "Run", "RunConfig", "imitate", "train"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("trainer.api"), name)
