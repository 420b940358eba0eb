"""The screens, drawn without a window and by a clock that is turned by hand, look as they were approved."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import date

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import numpy as np
import pygame
import pytest
from PIL import Image

from agents.files import home
from arcade.scenes.app import open_window
from arcade.session.match.setup import WindowOptions
from arcade.session.settings import Settings
from tests.golden import compare
from tests.golden.screens import SCREENS, Studio
from tests.support.clocks import FairClock


class Day(date):
    """A day with the same opponent each time."""

    @classmethod
    def today(cls) -> date:
        return date(2026, 1, 2)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One arcade for all pictures; games on show beside a page never begin."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARCADE_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr("arcade.session.preview.DWELL", float("inf"))
        for module in ("arcade.session.recordings.recording_texts", "arcade.scenes.match.slots_scene"):
            patch.setattr(f"{module}.when", lambda created, now: "Today 12:00")
        patch.setattr("arcade.scenes.home.title.date", Day)
        random.seed(7)
        np.random.seed(7)
        clock = FairClock()
        opened = open_window(
            WindowOptions(seed=7), error_route=None,
            settings=Settings(record_matches=False, countdown=False, reduce_motion=True),
            clock=clock.read, sleep=clock.sleep,
        )  # fmt: skip
        with opened as (engine, services):
            yield Studio(engine, services, clock, home())


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_looks_as_approved(name: str, studio: Studio, request: pytest.FixtureRequest) -> None:
    SCREENS[name](studio)
    picture = _shown(studio.engine.canvas)
    if request.config.getoption("update_golden"):
        compare.save(name, picture)
    assert not (difference := compare.difference(name, picture)), difference


def _shown(canvas: pygame.Surface) -> Image.Image:
    return Image.frombytes("RGB", canvas.get_size(), pygame.image.tobytes(canvas, "RGB"))
