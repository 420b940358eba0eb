"""A ladder view is declared once: a toy shows in the window, the terminal, CSV, JSON and the HTML report."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator

import pygame
import pytest
from typer.testing import CliRunner

from agents.files import home
from agents.ladder.ladder import Ladder
from agents.ladder.ratings.views import VIEWS, Column, Kind, View
from agents.ladder.ratings.views.view import field
from arcade.commands.cli import app
from arcade.scenes import routes
from arcade.session.ladder_texts import DECLARED


def _letters(standings) -> Iterator[dict[str, object]]:
    for letter, count in Counter(one.name[0] for one in standings.table).most_common():
        yield {"letter": letter, "players": count}


LETTERS = View(
    name="letters",
    title="Letters",
    caption="Players by their first letter",
    empty="no players yet",
    fields=("letter", "players"),
    columns=(Column("Letter", field("letter"), Kind.WORD), Column("Count", field("players"))),
    lines=_letters,
)


@pytest.fixture
def letters():
    """The ladder has one more view."""
    VIEWS.append(LETTERS)
    yield
    VIEWS.remove(LETTERS)


@pytest.fixture
def played(_own_home) -> None:
    with Ladder(home() / "ladder.sqlite") as ladder:
        for left in ("rock", "rosin"):
            ladder.add({
                "game": "house/volley", "lineup": {"left_0": left, "right_0": "sand"},
                "teams": [["left_0"], ["right_0"]], "placements": {"left_0": 1, "right_0": 2},
            })  # fmt: skip


def show(*words: str) -> str:
    done = CliRunner().invoke(app, ["ladder", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_new_view_is_in_terminal_csv_json_and_report(letters, played, tmp_path) -> None:
    view = ("show", "volley", "--view", "letters")
    assert "Count" in show(*view)
    assert next(csv.DictReader(io.StringIO(show(*view, "--csv")))) == {"letter": "r", "players": "2"}
    assert json.loads(show(*view, "--json"))["letters"][1] == {"letter": "s", "players": 1}
    show("report", "--out", str(tmp_path / "out"))
    assert '<th scope="col" class="word">Letter</th>' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "house-volley" / "letters.csv").read_text() == "letter,players\nr,2\ns,1\n"


def test_a_new_view_has_a_page_in_the_window(letters, sit, played, keyboard) -> None:
    sitting = sit()
    sitting.engine.push(routes.Ladder("house/volley"))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.book.sheet is not None, "the ladder to be read")
    sitting.frame()
    hand = keyboard(sitting)
    while scene.page.title != "Letters":
        hand.key(pygame.K_TAB)
    assert scene.page.table.rows == (("r", "2"), ("s", "1"))


def test_every_text_that_a_view_shows_in_the_window_is_in_the_catalogue() -> None:
    for view in (view for view in VIEWS if view.most != 0):
        titles = {column.title for column in view.columns[: -1 if view.name == "cycles" else None]} - {""}
        captions = {view.caption} if view.name != "cycles" else set()
        assert titles | captions <= set(DECLARED)
