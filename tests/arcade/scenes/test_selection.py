"""The list of games on the select screen, without the screen."""

from arcade.games.spec import GameSpec
from arcade.scenes.selection import Selection


def make_game(name: str, title: str) -> GameSpec:
    return GameSpec(id=name, title=title, entry="x:y", agents=("a",), teams=(("a",),), turn_based=False, fps=30)


GAMES = [
    make_game("atari/pong_v3", "Pong"),
    make_game("mod.ule:make", "My own"),
    make_game("house/volley", "Volley"),
    make_game("atari/boxing_v2", "Boxing"),
    make_game("classic/connect_four_v3", "Connect Four"),
]


def test_families_stand_together_house_first_and_strangers_last() -> None:
    families = [family for family, _ in Selection(GAMES).families]
    assert families == ["house", "atari", "classic", "third-party"]


def test_typing_narrows_and_rubbing_out_widens() -> None:
    selection = Selection(GAMES, selected="house/volley")
    for letter in "four con":
        selection.type(letter)
    assert [spec.id for spec in selection.found] == ["classic/connect_four_v3"]
    assert selection.selected is not None
    assert selection.selected.id == "classic/connect_four_v3"
    selection.type("zz")
    assert selection.selected is None
    while selection.query:
        selection.rub_out()
    assert selection.selected is not None
    assert selection.selected.id == "house/volley"


def test_moving_stops_at_the_ends_and_families_go_around() -> None:
    selection = Selection(GAMES)
    selection.move(-1)
    assert selection.index == 0
    selection.move(99)
    assert selection.index == len(GAMES) - 1
    selection.move_family(1)
    assert selection.selected is not None
    assert selection.selected.id == "house/volley"
    selection.move_family(1)
    assert selection.selected.family == "atari"
