"""Controls that many games share: a stick with eight ways and a button, and a cursor over what is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcade.games.controls import ControlRow, SeatControls

WAYS = ("up", "down", "left", "right")


def stick(
    verb: str,
    fire: str = "",
    *,
    ways: Sequence[str] = WAYS,
    words: Mapping[str, str] | None = None,
    fire_keys: tuple[str, ...] = ("a", "b"),
    rows: Sequence[ControlRow] = (),
) -> SeatControls:
    """A stick that does `verb` in those `ways`, or what `words` say of a way, and a button that does `fire`.

    Actions are the ways' own words and "fire"; `rows` come behind them.
    """
    told = {way: f"{verb} {way}" for way in WAYS} | dict(words or {})
    moves = [
        ControlRow(words=told[way], controls=(way,), action=way, group=_group(told[way], way))
        for way in WAYS
        if way in ways
    ]
    button = [ControlRow(words=fire, controls=fire_keys, action="fire")] if fire else []
    return SeatControls(rows=(*moves, *button, *rows), style="moves")


def _group(words: str, way: str) -> str:
    """What is told together: "Walk" of "Walk left"; "" of words of its own."""
    return words.removesuffix(f" {way}") if words.endswith(f" {way}") else ""


def cursor(
    play: str,
    mouse: str,
    *,
    point: str = "Move the cursor",
    ways: tuple[str, ...] = WAYS,
    back: str = "",
) -> SeatControls:
    """Of a game that waits: a does `play` with what is pointed at, b takes a first press back where `back` says so."""
    rows = [ControlRow(words=point, controls=ways), ControlRow(words=play, controls=("a",))]
    if back:
        rows.append(ControlRow(words=back, controls=("b",)))
    return SeatControls(rows=tuple(rows), style="choose", mouse=mouse)


CHOOSE = cursor("Play what it is on", "Click on what you want to play")
"""Any game that waits for the player."""
