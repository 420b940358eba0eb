"""The colour of each seat on the screens: the palette's nearest to the colour of its figure in the game's picture."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import hypot

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.palettes import Colour

Teams = tuple[Colour, ...]
"""The team colours of a palette, which every kind of eyesight tells apart: `Palette.teams`."""

_GREY = 0.04
"""Chroma in OKLab below which a colour counts as a grey."""

_CHROMA = 80.0
"""Weight of a lack of chroma, next to a difference in hue: it keeps pale colours for pale figures."""

_LIGHTNESS = 0.5
"""Weight of a difference in lightness, next to one in hue: it tells white from black."""


def seat_colour(spec: GameSpec, agent: AgentID, teams: Teams) -> Colour:
    """Return the colour of a seat; seats of different teams never share one while the palette has enough."""
    return teams[_chosen(_figures(spec), teams)[_figure_of(spec, agent)] % len(teams)]


def team_colour(spec: GameSpec, team: int, teams: Teams) -> Colour:
    """Return the colour of a team, by its index in GameSpec.teams: that of its first seat."""
    return seat_colour(spec, spec.teams[team][0], teams)


_Figure = tuple[int, Colour | None]
"""A team, and the colour of a figure of it; None where the game has none."""


def _figure_of(spec: GameSpec, agent: AgentID) -> _Figure:
    return spec.team_of(agent), spec.seat_colours.get(agent)


def _figures(spec: GameSpec) -> tuple[_Figure, ...]:
    """Return the figures that differ by team or colour, in seat order."""
    return tuple(dict.fromkeys(_figure_of(spec, agent) for team in spec.teams for agent in team))


@lru_cache(256)
def _chosen(figures: tuple[_Figure, ...], teams: Teams) -> dict[_Figure, int]:
    """Return the index of a palette's team colour for each figure, so that all together are nearest."""
    coloured = [figure for figure in figures if figure[1] is not None]
    if not coloured or len(figures) > len(teams):
        return {figure: figure[0] for figure in figures}
    far = [[_distance(colour, other) for other in teams] for _, colour in coloured if colour is not None]
    best = min(
        permutations(range(len(teams)), len(coloured)),
        key=lambda order: sum(far[place][index] for place, index in enumerate(order)),
    )
    free = [index for index in range(len(teams)) if index not in best]
    rest = [figure for figure in figures if figure[1] is None]
    return dict(zip(coloured, best, strict=True)) | dict(zip(rest, free, strict=False))


def _distance(one: Colour, other: Colour) -> float:
    """Return how unlike two colours are, above all in hue; greys are near each other."""
    (light, *hue, chroma), (other_light, *other_hue, other_chroma) = _parts(one), _parts(other)
    lack = max(0.0, chroma - other_chroma) if chroma > _GREY else other_chroma
    turned = (hue[0] - other_hue[0]) ** 2 + (hue[1] - other_hue[1]) ** 2
    return turned + _CHROMA * lack**2 + _LIGHTNESS * (light - other_light) ** 2


def _parts(colour: Colour) -> tuple[float, float, float, float]:
    """Return lightness 0 … 1, a point for the hue, at most 1 from the middle, where the greys are, and the chroma."""
    light, a, b = _oklab(colour)
    chroma = hypot(a, b)
    strength = max(chroma, _GREY)
    return light, a / strength, b / strength, chroma


def _oklab(colour: Colour) -> tuple[float, float, float]:
    """Return lightness, green-red and blue-yellow: https://bottosson.github.io/posts/oklab/"""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in colour))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )
