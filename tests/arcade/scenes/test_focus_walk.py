"""Arrows alone, of keys or a pad, lead from every widget of a page to every other one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.settings.pages import PAGES
from arcade.session.online.hosting import OnlineHost
from tests.support.focus_walk import too_far

WINDOWS = {"wide": (1280, 720, 1.0), "large": (1280, 720, 1.5), "small": (640, 360, 1.0), "4:3": (1024, 768, 1.0)}
"""Width, height and scale."""


def pages(sitting) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield a name, and what opens the page."""
    engine, services = sitting.engine, sitting.services
    for game in ("house/volley", "classic/chess_v6", "mpe/simple_tag_v3", "butterfly/pistonball_v6"):
        spec = find_game(game)
        yield game, lambda spec=spec: engine.push(routes.Game(spec))
        yield f"seats of {game}", lambda spec=spec: engine.push(routes.Seats(spec))
        yield f"training of {game}", lambda spec=spec: engine.push(routes.TrainOpponent(spec))
        yield f"tournament of {game}", lambda spec=spec: engine.push(routes.Tournament(spec))
    volley = find_game("house/volley")
    several = {
        "first run": routes.FirstRun(), "games": routes.Games(), "profile": routes.Profile(),
        "recordings": routes.Recordings(), "ladder": routes.Ladder(volley.id), "runs": routes.Runs(),
        "new run": routes.NewRun(), "jobs": routes.Jobs(), "online": routes.Online(),
        "bindings": routes.KeyBindings(volley), "people": routes.People(), "strengths": routes.Strengths(volley),
        "controls": routes.Controls(volley, dict.fromkeys(volley.agents, SeatChoice("keyboard"))),
        "entry": routes.EnterText("Name", "x", done=lambda text: None),
        **{f"settings: {page.title}": routes.Settings(page.title) for page in PAGES},
    }  # fmt: skip
    for name, route in several.items():
        yield name, lambda route=route: engine.push(route)
    yield "lobby", lambda: engine.push(routes.Lobby(spec=volley))
    assert services.ready


@pytest.mark.parametrize("window", WINDOWS)
def test_arrows_lead_from_everything_to_everything_on_every_page(sit, window) -> None:
    sitting, (width, height, scale) = sit(), WINDOWS[window]
    engine = sitting.engine
    engine.apply(engine.settings.changed(window_width=width, window_height=height, ui_scale=scale), save=False)
    faults = {}
    title = engine.scene
    for name, open_page in [("home", lambda: None), *pages(sitting)]:
        open_page()
        sitting.until(lambda: not sitting.services.worker.busy, "what the page reads")
        if name == "lobby":
            sitting.until(lambda: isinstance(engine.scene.session, OnlineHost) and engine.scene.session.is_open, name)
        sitting.frame(3)
        if found := list(too_far(engine.scene.focus)):
            faults[name] = found[:4]
        while engine.scene is not title:
            engine.pop()
    assert not faults


def test_right_leads_from_the_buttons_of_a_game_to_its_opponents(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    sitting.engine.push(routes.Game(find_game("house/volley")))
    sitting.until(lambda: not sitting.services.worker.busy, "the records of the game")
    focus = sitting.engine.scene.focus
    focus.focus(sitting.widget("Seats"))
    hand.press("right")
    assert focus.focused.key == "level:easy"
    hand.press("left")
    assert focus.focused.rect.right < focus.tree.rect.centerx * 1.3
