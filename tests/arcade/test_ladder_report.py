"""``arcade ladder report``: a page that holds all and fetches nothing, pictures, tables, and names as they are."""

from __future__ import annotations

import base64
import csv
import json
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from agents.ladder.ladder import Ladder
from arcade.commands.cli import app

HOSTILE = '<script>alert("1")</script> & $\\frac$ Саша'
VOID = {"meta", "img"}


class Page(HTMLParser):
    """Every tag is closed in its turn; what stands in tables and pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], set(), [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes) -> None:
        self.tags.add(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.texts.append(data)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def add(ladder: Ladder, game: str, lineup: dict[str, str], teams: list[list[str]], returns: float = 0) -> None:
    places = {agent: place for place, team in enumerate(teams, 1) for agent in team}
    ladder.add({
        "game": game, "lineup": lineup, "teams": teams, "placements": places, "returns": dict.fromkeys(lineup, returns)
    })  # fmt: skip


def fill(home: Path) -> None:
    with Ladder(home / "ladder.sqlite") as ladder:
        for left, right in [(HOSTILE, "scissors"), ("scissors", "paper"), ("paper", HOSTILE)] * 12:
            add(ladder, "house/volley", {"left_0": left, "right_0": right}, [["left_0"], ["right_0"]])
        for pair, value in ((("x", "x"), 4.0), (("x", "y"), 2.0), (("x", "x"), 5.0)):
            add(ladder, "my_game:env", dict(zip("ab", pair, strict=True)), [["a", "b"]], value)


def report(*words: str) -> Result:
    return CliRunner().invoke(app, ["ladder", "report", *words])


def test_one_page_holds_everything_and_fetches_nothing(home, tmp_path) -> None:
    fill(home)
    out = tmp_path / "handed" / "on"
    result = report("--out", str(out), "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    text = Path(told["page"]).read_text(encoding="utf-8")
    page = Page(text)
    assert not page.tags & {"script", "link", "iframe", "object", "embed", "base"}
    assert not [value for name, value in page.attributes if name.startswith("on")]
    for name, value in page.attributes:
        if name in ("src", "href", "srcset", "action"):
            assert value.startswith(("data:image/png;base64,", "#")), value[:60]
    assert "url(" not in text
    assert page.texts.count(HOSTILE) > 3
    assert any("12" in words for words in page.texts)
    assert '<th scope="col" class="word">Kind</th>' in text  # as narrow as its words: names are what wants room
    pictures = [base64.b64decode(value.partition(",")[2]) for name, value in page.attributes if name == "src"]
    files = [Path(path) for path in told["files"]]
    assert sorted(pictures) == sorted(path.read_bytes() for path in files if path.suffix == ".png")
    assert {str(path.relative_to(out)) for path in files} == {
        *(f"house-volley/{name}.{kind}" for name in ("ratings", "matrix", "cycles", "history")
          for kind in ("csv", "png")), "house-volley/pairs.png", "house-volley/statistics.csv",
        *(f"my_game-env/{name}.{kind}" for name in ("ratings", "cross-play") for kind in ("csv", "png")),
    }  # fmt: skip
    for path in files:
        if path.suffix == ".png":
            pixels = np.asarray(Image.open(path).convert("RGB"))
            assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20, path
    with open(out / "house-volley" / "ratings.csv", encoding="utf-8", newline="") as file:
        assert HOSTILE in {row["name"] for row in csv.DictReader(file)}
    assert not [path for path in out.rglob("*") if "part" in path.name]


def test_letters_that_no_font_has_make_no_noise(home, tmp_path, recwarn) -> None:
    with Ladder(home / "ladder.sqlite") as ladder:
        add(ladder, "house/volley", {"left_0": "\u5c71\u7530", "right_0": "\U000f0000"}, [["left_0"], ["right_0"]])
    assert report("--out", str(tmp_path / "out")).exit_code == 0
    assert not [str(warning.message) for warning in recwarn if "Glyph" in str(warning.message)]
    assert "\u5c71\u7530" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_again_into_the_same_folder_gives_the_same_to_the_byte(home, tmp_path) -> None:
    fill(home)
    (tmp_path / "notes.txt").write_text("mine")
    assert report("my_game:env", "--out", str(tmp_path)).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if home not in path.parents and path.is_file()}
    result = report("my_game:env", "my_game:env", "--out", str(tmp_path))
    assert result.stdout.startswith(f"{tmp_path / 'index.html'}: the page; 4 pictures")
    assert all(path.read_bytes() == content for path, content in before.items())
    assert (tmp_path / "notes.txt") in before


def test_what_cannot_be_done_is_said_and_nothing_is_written(home, tmp_path, monkeypatch) -> None:
    result = report("--out", str(tmp_path / "none"))
    assert (result.exit_code, "play a match" in result.stderr) == (2, True)
    fill(home)
    assert "'nope'" in report("nope", "--out", str(tmp_path / "none")).stderr
    (tmp_path / "file").write_text("")
    assert "expected a folder" in report("--out", str(tmp_path / "file")).stderr
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = report("--out", str(tmp_path / "none"))
    assert (result.exit_code, "pettingzoo-arcade[data]" in result.stderr) == (4, True)
    assert not (tmp_path / "none").exists()


def test_a_game_that_nobody_has_played_has_a_page_too(home, tmp_path) -> None:
    result = report("classic/go_v5", "--out", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    assert any("counts yet" in words for words in Page((tmp_path / "out/index.html").read_text("utf-8")).texts)
