"""One arcade without a screen, and hands to play it with: a keyboard, one pad, a mouse."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arcade import language
from arcade.scenes import routes
from arcade.session.match.setup import WindowOptions
from tests.support.clocks import FairClock
from tests.support.hands import Hand, KeyboardHand, MouseHand, PadHand
from tests.support.open_arcade import OpenArcade


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))


@pytest.fixture
def sit() -> Iterator[Callable[..., OpenArcade]]:
    """Makes an arcade on the title, the slow parts loaded."""
    sittings: list[OpenArcade] = []

    def make(engine: dict[str, Any] | None = None, **opening: object) -> OpenArcade:
        sitting = OpenArcade(WindowOptions(**{"seed": 7, **opening}), **(engine or {}))  # type: ignore[arg-type]
        sittings.append(sitting)
        sitting.engine.push(routes.Title())
        sitting.until(lambda: sitting.services.ready, "the services to be ready")
        return sitting

    yield make
    for sitting in sittings:
        sitting.close()
    language.use("en")


@pytest.fixture
def fair_clock() -> FairClock:
    return FairClock()


@pytest.fixture(params=["keyboard", "pad", "mouse"])
def make_hand(request: pytest.FixtureRequest) -> Callable[[OpenArcade], Hand]:
    """Each way of playing in turn."""
    return {"keyboard": KeyboardHand, "pad": PadHand, "mouse": MouseHand}[request.param]


@pytest.fixture
def keyboard() -> type[KeyboardHand]:
    return KeyboardHand


@pytest.fixture
def pad() -> type[PadHand]:
    return PadHand


@pytest.fixture
def mouse() -> type[MouseHand]:
    return MouseHand
