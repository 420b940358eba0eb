"""Where figures are, and their colours: what a player sees at the place that the game names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from agents.seats.controller import AgentID
from arcade.games.catalogue import find_game, games
from arcade.games.figures import Place
from arcade.games.seat_colours import seat_colour, team_colour
from arcade.games.spec import GameSpec
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Frame, Tick
from arcade.palettes import PALETTES

TICKS = 40
NEAR = 40  # most that one of red, green and blue of a pixel may be off

ATARI = ("pong_v3", "warlords_v3", "boxing_v2", "combat_tank_v2", "space_war_v2", "volleyball_pong_v3", "joust_v3")
OTHERS = ("simple_tag_v3", "simple_spread_v3", "pursuit_v5", "multiwalker_v9", "pistonball_v6", "volley", "volley_2v2")
FIGHTERS = "knights_archers_zombies_v11"


def ticks_of(spec: GameSpec, count: int = TICKS, *, mover: AgentID | None = None) -> Iterator[Tick]:
    """Play with random actions, all seats or only the `mover`; the others do what their first action is."""
    with LocalStage(spec, render=True) as stage:
        stage.locates = True
        dice = {agent: np.random.default_rng(place) for place, agent in enumerate(spec.agents)}
        stage.reset(seed=1)
        actions = {}
        for index in range(count):
            tick = stage.wait()
            yield tick
            if tick.over:
                return
            for agent in tick.acting:
                space = stage.spaces[agent][1]
                if index % 8 == 0:
                    drawn = space.low + dice[agent].random(space.shape) * 2 if hasattr(space, "low") else None
                    held = int(dice[agent].integers(space.n)) if drawn is None else drawn.astype(np.float32)
                    actions[agent] = held if mover in (None, agent) else 0
            stage.step({agent: actions[agent] for agent in tick.acting})


def pixels_at(frame: Frame, place: Place) -> Frame:
    rows, columns = frame.shape[:2]
    left, top, width, height = place
    across = slice(max(0, round(left * columns)), round((left + width) * columns))
    return frame[max(0, round(top * rows)) : round((top + height) * rows), across]


def share_of(colour: tuple[int, int, int], pixels: Frame) -> float:
    return float((np.abs(pixels.astype(int) - colour).max(axis=2) <= NEAR).mean())


@pytest.mark.parametrize("name", [*ATARI, *OTHERS, FIGHTERS])
def test_at_the_place_of_a_figure_is_its_colour(name: str) -> None:
    spec = find_game(name)
    shares: dict[AgentID, list[float]] = {agent: [] for agent in spec.agents}
    for tick in ticks_of(spec):
        assert tick.frame is not None
        for agent, place in tick.figures.items():
            shares[agent].append(share_of(spec.seat_colours[agent], pixels_at(tick.frame, place)))
    least = 0.25 if name in ATARI or name.startswith(("simple", "pursuit")) else 0.05  # others have many colours
    assert all(found and np.median(found) >= least for found in shares.values()), shares


@pytest.mark.parametrize("name", ["pong_v3", "warlords_v3", "combat_plane_v2", "surround_v2", "foozpong_v3"])
def test_a_seat_moves_the_figure_that_is_named_its_own(name: str) -> None:
    """With the same seed, the first pixels that differ once a single seat plays lie in its own figure."""
    spec = find_game(name)
    for mover in spec.agents:
        still, moved = ticks_of(spec, 60, mover="nobody"), ticks_of(spec, 60, mover=mover)
        one, other = next((a, b) for a, b in zip(still, moved, strict=False) if (a.frame != b.frame).any())
        changed = (one.frame != other.frame).any(axis=2)
        around = {agent: box_of(other.figures[agent], changed) for agent in spec.agents}
        most = max(around, key=lambda agent: int(changed[around[agent]].sum()))
        assert changed[around[mover]].any(), (mover, other.figures)
        assert most == mover


def box_of(place: Place, picture: np.ndarray) -> tuple[slice, slice]:
    rows, columns = picture.shape
    left, top, width, height = place
    return (
        slice(max(0, round(top * rows) - 3), round((top + height) * rows) + 3),
        slice(max(0, round(left * columns) - 3), round((left + width) * columns) + 3),
    )


def test_every_game_with_a_picture_of_its_own_says_where_its_figures_are() -> None:
    """Boards and cards are tables of ours, which say themselves who is who."""
    assert not [spec.id for spec in games() if not spec.table and not spec.figures]


def test_places_cross_to_the_window_only_when_they_are_wanted() -> None:
    spec = find_game("pong")
    with HostedStage(spec, render=True) as stage:
        stage.wait_ready()
        stage.reset(seed=1)
        assert stage.wait().figures == {}
        stage.locates = True
        stage.step(dict.fromkeys(spec.agents, 0))
        assert set(stage.wait().figures) == set(spec.agents)


def test_a_game_that_cannot_say_where_its_figures_are_is_played_without() -> None:
    from dataclasses import replace

    spec = replace(find_game("volley"), figures="arcade.games.figures.mpe:locate")  # another family's
    with LocalStage(spec, render=True) as stage:
        stage.locates = True
        stage.reset(seed=1)
        assert stage.wait().figures == {}


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES.keys())
def test_teams_never_share_a_colour(palette) -> None:
    for spec in games():
        if len(spec.teams) <= len(palette.teams):
            shown = [{seat_colour(spec, agent, palette.teams) for agent in team} for team in spec.teams]
            assert len(set().union(*shown)) == sum(map(len, shown)), spec.id


def test_the_colour_on_screen_is_the_palettes_version_of_the_figures() -> None:
    night = PALETTES["night"].teams
    blue, orange, green = night[:3]
    assert [team_colour(find_game("pong"), team, night) for team in (0, 1)] == [green, orange]
    assert [team_colour(find_game("warlords"), team, night) for team in range(3)] == [orange, blue, green]
    assert team_colour(find_game("simple_tag"), 1, night) == green
    assert [team_colour(find_game("volley"), team, night) for team in (0, 1)] == [blue, orange]
    assert [team_colour(find_game("chess"), team, night) for team in (0, 1)] == [blue, orange]


def test_seats_are_shown_on_the_side_of_the_picture_that_they_play_on() -> None:
    """The middle of the first team's figures, and the side of its score, for games with two teams face to face."""
    for name in ("pong_v3", "basketball_pong_v3", "volley", "surround_v2", "wizard_of_wor_v3", "tennis_v3"):
        spec = find_game(name)
        figures = next(ticks_of(spec, 1)).figures or list(ticks_of(spec, 3))[-1].figures
        (first, *_), (second, *_) = (figures[team[0]] for team in spec.teams)
        if abs(first - second) > 0.1:
            assert (spec.side_of(0) == 1) == (first > second), name
