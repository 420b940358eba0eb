"""The process that draws recordings: ``python -m arcade.scenes.recordings '[[[REPLAY, TICK] …], PALETTE, LANGUAGE]'``.

Prints the path of each recording that it is done with, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from agents.errors import UserError
from agents.platform.children import end_with_parent
from arcade import language
from arcade.scenes.recordings.drawing import draw_recording


def main(order: str) -> None:
    """Draw all that can be; a recording that does not come out as it was stays without a picture."""
    end_with_parent()
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    wanted, palette, name = json.loads(order)
    language.use(name)
    for file, tick in wanted:
        with suppress(UserError, OSError):  # its game is not installed, say: the page says that there is no picture
            draw_recording(Path(file), tick, palette=palette)
        with suppress(BrokenPipeError):  # the window is closed: this process ends too
            print(json.dumps(file), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
