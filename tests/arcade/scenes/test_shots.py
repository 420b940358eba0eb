"""``make shots``: a picture of every screen in every look, none of them blank, none the same in two looks."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path

import numpy as np
from PIL import Image

from arcade.palettes import PALETTES
from tests.benchmarks.screens_text import has_id
from tests.shots.camera import LOOKS

SCREENS = (
    "title", "first-run", "attract", "select", "select-search", "game",
    "online", "online-lobby", "online-menu",
    "seats", "seats-player", "seats-limits", "settings-general", "settings-display", "settings-view",
    "settings-controls", "settings-sound", "controls", "entry", "confirm", "error", "match", "match-controls",
    "match-shown", "match-step", "match-players", "match-curtain", "pause", "pause-pad", "results", "training",
    "training-curves", "training-opponents", "training-watch", "training-matchmaking", "training-new",
    "match-warlords", "match-knights_archers_zombies", "match-simple_tag", "match-pursuit", "match-chess",
    "settings-accessibility", "settings-about", "settings-recording",
    "recordings", "recordings-filter", "recordings-totals", "replay", "video",
    "replay-insight", "replay-insight-page", "replay-takeover",
    "people", "people-who", "tutorial", "profile", "profile-ratings", "profile-achievements",
    "train-opponent", "train-opponent-progress", "tournament-form", "tournament", "jobs",
    "ladder", "ladder-over-time", "ladder-all-pairs", "ladder-two-players", "ladder-rings", "ladder-scores",
    "ladder-partners", "ladder-empty",
)  # fmt: skip


def test_a_path_is_no_id_and_the_rest_of_its_text_may_have_one() -> None:
    assert not has_id("Recordings are in /tmp/tmpruargkiw/replays")
    assert has_id("Recordings of left_0 are in /tmp/tmpruargkiw/replays")
    assert has_id("mpe/simple_tag_v3")


def test_every_screen_has_its_picture_in_every_look(tmp_path) -> None:
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root), "SDL_VIDEODRIVER": "dummy"}
    command = [sys.executable, "-m", "tests.shots", str(tmp_path), "--few"]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, timeout=600)
    for screen in SCREENS:
        pictures = [picture(tmp_path / look.folder / f"{screen}.png") for look in (LOOKS[0], LOOKS[-1])]
        assert [pixels.shape[1::-1] for pixels in pictures] == [LOOKS[0].size, LOOKS[-1].size]
        for pixels in pictures:
            assert len(np.unique(pixels[::4, ::4].reshape(-1, 3), axis=0)) > 50, screen
    for look in (LOOKS[0], LOOKS[-1]):
        corner = picture(tmp_path / look.folder / "settings-sound.png")[-3, 2]
        assert tuple(corner) == PALETTES[look.palette].ground


def test_the_looks_have_every_pair_of_their_values() -> None:
    values = [astuple(look) for look in LOOKS]
    for one, other in itertools.combinations(range(4), 2):
        assert len({(value[one], value[other]) for value in values}) == 9


def picture(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"))
