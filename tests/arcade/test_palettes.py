"""Every palette can be read, and told apart by people who see fewer colours."""

from __future__ import annotations

import numpy as np
import pytest

from arcade.palettes import PALETTES
from tests.support.colour_sight import contrast, distance, nearest

TEXTS = ("ink", "muted", "faint", "focus", "green", "yellow", "warning")


@pytest.fixture(params=PALETTES)
def palette(request):
    return PALETTES[request.param]


def test_text_is_readable(palette):
    for name in TEXTS:
        colour = getattr(palette, name)
        grounds = (
            (palette.ground, palette.panel) if name == "faint" else (palette.ground, palette.panel, palette.raised)
        )
        assert min(contrast(colour, ground) for ground in grounds) >= 4.5, name  # WCAG 2.2, contrast (minimum)
    assert contrast(palette.muted, palette.well) >= 4.5


def test_high_contrast_is_higher():
    palette = PALETTES["high contrast"]
    for name in TEXTS:
        assert contrast(getattr(palette, name), palette.panel) >= 7, name  # WCAG 2.2, contrast (enhanced)
    assert contrast(palette.edge, palette.ground) >= 3


def test_the_colours_of_teams_are_readable(palette):
    for team in palette.teams:
        assert min(contrast(team, ground) for ground in (palette.ground, palette.panel)) >= 4.5, team


def test_teams_stay_apart_for_everybody(palette):
    teams = list(palette.teams)
    assert len(teams) == 8
    assert nearest(teams[:2]) >= 40
    assert nearest(teams[:4]) >= 12
    assert nearest(teams) >= 9


def test_what_is_wrong_never_looks_like_what_is_right(palette):
    assert nearest([palette.green, palette.warning]) >= 8
    assert nearest([palette.ink, palette.warning]) >= 12


def test_the_distance_is_that_of_its_authors():
    pairs = [  # Sharma, Wu and Dalal 2005, table 1: numbers 1, 7, 16, 25 and 33
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ]
    for one, other, expected in pairs:
        assert distance(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)
