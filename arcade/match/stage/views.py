"""Renders a game: a picture, words, or nothing."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from arcade.match.stage.tick import Frame


def look(env: Any) -> tuple[Frame | None, str]:
    """The env's picture of this moment, or None and its words: those that it returns, else those that it prints.

    A game that draws nothing, which PettingZoo's base classes say by NotImplementedError, gives neither.
    """
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            drawn = env.render()
    except NotImplementedError:
        return None, ""
    if isinstance(drawn, np.ndarray) and drawn.ndim == 3:
        return drawn, ""
    return None, drawn if isinstance(drawn, str) else printed.getvalue().rstrip()
