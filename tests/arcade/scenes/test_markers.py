"""The word over the figure of each person: where it is, whose, and for how long."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from agents.seats.controller import Controller
from arcade.engine.input.devices import DeviceHub
from arcade.engine.ui.theme import Theme
from arcade.games.catalogue import find_game
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.scenes.match.field import Field
from arcade.scenes.match.markers import SHOWN, YOU, Markers
from arcade.session.player_names import PlayerNames

AREA = pygame.Rect(0, 0, 640, 480)


class Still(Controller):
    """Does nothing, as a person or as AI."""

    def __init__(self, label: str, *, person: bool) -> None:
        self.label, self._person = label, person

    @property
    def is_human(self) -> bool:
        return self._person

    def observe(self, turn) -> None:
        pass

    def act(self) -> int:
        return 0


@pytest.fixture(autouse=True)
def window(sit):
    """An engine, for its fonts."""
    return sit()


def begun(game: str, people: dict[str, str]) -> Iterator[Match]:
    spec = find_game(game)
    with LocalStage(spec, render=True) as stage:
        stage.locates = True
        mapping = {agent: Still(people.get(agent, "AI"), person=agent in people) for agent in spec.agents}
        match = Match(stage, mapping, seed=1, rate=spec.fps, clock=lambda: 0.0)
        match.start()
        match.advance(0.0)
        yield match


@pytest.fixture
def volley() -> Iterator[Match]:
    """Ann plays on the right."""
    yield from begun("house/volley", {"right_0": "Ann"})


@pytest.fixture
def duel() -> Iterator[Match]:
    yield from begun("house/volley", {"left_0": "Ann", "right_0": "Bob"})


def drawn(field: Field, **how: bool) -> np.ndarray:
    canvas = pygame.Surface(AREA.size)
    field.draw(canvas, Theme(window=AREA.size), AREA, **how)
    return pygame.surfarray.array3d(canvas)


def shown_field(match: Match, now: float = 0.0) -> Field:
    field = Field(match.spec)
    field.begin(match, DeviceHub, PlayerNames(match.spec))  # type: ignore[arg-type]
    field.update(now)
    return field


def test_the_marker_is_above_the_persons_figure_and_goes_after_some_seconds(volley) -> None:
    field = shown_field(volley)
    marked = drawn(field)
    field.update(SHOWN + 1)
    plain = drawn(field)
    columns, rows = np.nonzero((marked != plain).any(axis=2))
    assert len(columns), "no marker at the start"
    left, top, width, _ = volley.tick.figures["right_0"]
    assert columns.mean() == pytest.approx((left + width / 2) * AREA.w, abs=4)
    picture = AREA.h / 2 - AREA.w * 540 / 960 / 2  # the row where the picture begins
    assert rows.max() <= picture + top * AREA.w * 540 / 960


def test_markers_come_back_with_the_help_and_after_a_pause(volley) -> None:
    field = shown_field(volley)
    field.update(SHOWN + 1)
    plain = drawn(field)
    assert (drawn(field, marked=True) != plain).any()
    field.show_markers()
    field.update(SHOWN + 2)
    assert (drawn(field) != plain).any()


def test_one_person_reads_you_and_two_their_names(volley, duel) -> None:
    assert Markers(volley).words("right_0") == YOU
    assert [Markers(duel).words(agent) for agent in duel.spec.agents] == ["Ann", "Bob"]


def test_ai_seats_have_no_marker(volley) -> None:
    markers = Markers(volley)
    markers.update(0.0)
    assert list(markers.places) == ["right_0"]


def test_places_are_read_with_every_tick_only_while_markers_are_shown(volley) -> None:
    markers, asked = Markers(volley), []
    for frame in range(60 * 6):
        markers.update(frame / 60)
        asked.append(volley.stage.locates)
        volley.advance((frame + 1) / 60)
    assert all(asked[:200])
    assert 0 < sum(asked[-60:]) <= 12
