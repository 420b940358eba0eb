"""The list of games on the select screen, without the screen."""

from arcade.games.spec import GameSpec
from arcade.session.game_list import ORDERS, GameList, kind_of


def make_game(name: str, title: str, *teams: tuple[str, ...]) -> GameSpec:
    teams = teams or (("a",),)
    agents = tuple(agent for team in teams for agent in team)
    return GameSpec(id=name, title=title, entry="x:y", agents=agents, teams=teams, turn_based=False, fps=30)


GAMES = [
    make_game("atari/pong_v3", "Pong"),
    make_game("mod.ule:make", "My own"),
    make_game("house/volley", "Volley"),
    make_game("atari/boxing_v2", "Boxing"),
    make_game("classic/connect_four_v3", "Connect Four"),
]


def test_families_stand_together_house_first_and_strangers_last() -> None:
    families = [spec.family for spec in GameList(GAMES).found]
    assert list(dict.fromkeys(families)) == ["house", "atari", "classic", "third-party"]
    assert len(families) == 5


def test_typing_narrows_and_rubbing_out_widens() -> None:
    selection = GameList(GAMES, selected="house/volley")
    selection.query = "four con"
    assert [spec.id for spec in selection.found] == ["classic/connect_four_v3"]
    assert selection.selected is not None
    assert selection.selected.id == "classic/connect_four_v3"
    selection.query += "zz"
    assert selection.selected is None
    selection.query = ""
    assert selection.selected is not None
    assert selection.selected.id == "house/volley"


SIDES = [
    make_game("atari/warlords", "Warlords", ("a",), ("b",), ("c",), ("d",)),
    make_game("house/volley_2v2", "Doubles", ("a", "b"), ("c", "d")),
    make_game("atari/pong_v3", "Pong", ("a",), ("b",)),
    make_game("mpe/simple_v3", "Simple"),
    make_game("mpe/spread", "Spread", ("a", "b", "c")),
    make_game("house/volley", "Volley", ("a",), ("b",)),
]


def test_games_are_sorted_by_players_and_by_kind_and_the_selected_one_stays() -> None:
    selection = GameList(SIDES, selected="atari/pong_v3")
    selection.sort(ORDERS[1])
    titles = [spec.title for spec in selection.found]
    assert titles == ["Simple", "Volley", "Pong", "Spread", "Doubles", "Warlords"]
    selection.sort(ORDERS[2])
    assert [kind_of(spec) for spec in selection.found] == [
        "one against one", "one against one", "teams", "each against all", "together", "alone",
    ]  # fmt: skip
    assert selection.selected.title == "Pong"
    selection.query = "4 play"
    assert {spec.title for spec in selection.found} == {"Doubles", "Warlords"}


PONGS = [
    make_game("atari/basketball_pong_v3", "Basketball Pong"),
    make_game("atari/pong_doubles", "Pong Doubles"),
    make_game("atari/tennis_v3", "Tennis, like pong"),
    make_game("atari/pong_v3", "Pong"),
]


def test_the_title_that_was_typed_comes_first_and_is_selected() -> None:
    selection = GameList(PONGS, selected="atari/tennis_v3")
    selection.search("Pong")
    assert [spec.title for spec in selection.found] == ["Pong", "Pong Doubles", "Basketball Pong", "Tennis, like pong"]
    assert selection.selected is not None
    assert selection.selected.title == "Pong"
    selection.search("")
    assert [spec.title for spec in selection.found] == [spec.title for spec in PONGS], "the order of the list again"


def test_cooperative_games_are_found_by_the_words_people_have_for_them() -> None:
    selection = GameList([*GAMES, make_game("butterfly/pistonball_v6", "Pistonball", ("a", "b"))])
    for query in ("cooperative", "co-op", "coop", "together"):
        selection.search(query)
        assert [spec.title for spec in selection.found] == ["Pistonball"], query
