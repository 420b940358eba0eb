"""Takes every picture and prints where it is; with ``--few`` in two looks only."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arcade.scenes.app import open_window
from arcade.session.match.setup import WindowOptions
from arcade.session.settings import Settings
from tests.shots.camera import LOOKS, SEED, Look, Shots


def take_all(folder: Path, looks: Sequence[Look] = LOOKS) -> list[Path]:
    """Take every picture into `folder` and return the paths."""
    with open_window(WindowOptions(seed=SEED), settings=Settings(reduce_motion=True), error_route=None) as (
        engine,
        services,
    ):  # what a scene raises ends it
        shots = Shots(engine, services, folder, looks)
        tell_all(shots)
    return shots.taken


def tell_all(shots: Shots) -> None:
    """Come to every screen once."""
    from tests.shots.jobs import take_jobs
    from tests.shots.ladder import take_ladder
    from tests.shots.matches import take_matches
    from tests.shots.pages import take_pages
    from tests.shots.recordings import take_recordings
    from tests.shots.training import take_training

    for story in (take_pages, take_matches, take_recordings, take_training, take_jobs, take_ladder):
        story(shots)


def main() -> int:
    """``python -m tests.shots [FOLDER] [--few]``"""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    words = [word for word in sys.argv[1:] if word != "--few"]
    if any(word.startswith("-") for word in words):
        print(main.__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        few = "--few" in sys.argv
        for path in take_all(Path(words[0] if words else "shots"), (LOOKS[0], LOOKS[-1]) if few else LOOKS):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
