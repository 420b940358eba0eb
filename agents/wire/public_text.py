"""Error texts for strangers: without the paths of this machine, and short."""

from __future__ import annotations

import re

from agents.wire.limits import MAX_ERROR_TEXT

_QUOTED = re.compile(r"""(['"])(?:~|[A-Za-z]:)?[/\\][^'"]*\1""")
_BARE = re.compile(r"""(?<![\w:/\\])(?:~|[A-Za-z]:)?(?:[/\\]+[^\s/\\'",;:()<>\[\]{}|]+){2,}[/\\]?""")


def public_text(text: str) -> str:
    """`text` with each file path replaced by its last part.

    >>> public_text("expected room on /home/ann/arcade/snapshots, got: 'C:\\\\Users\\\\Ann\\\\a b.onnx'")
    "expected room on snapshots, got: 'a b.onnx'"
    """
    text = text[: 2 * MAX_ERROR_TEXT]
    text = _QUOTED.sub(lambda found: found[1] + _last(found[0][1:-1]) + found[1], text)
    return _BARE.sub(lambda found: _last(found[0]), text)[:MAX_ERROR_TEXT]


def _last(path: str) -> str:
    return re.split(r"[/\\]+", path.rstrip("/\\"))[-1]
