"""The texts that the games declare, as Python source for the catalogues: python -m tests.support.game_texts."""

import re
from collections.abc import Iterator

from arcade.games.built_in import built_in_games
from arcade.games.controls import CHOOSE
from arcade.games.naming import message_rows, number_controls
from arcade.games.scores import RETURNS, Score
from arcade.games.spec import GameSpec
from arcade.games.texts import message

_NOTATION = re.compile(r"|[A-T]\d+")
"""Points of the Go board are the same in every language."""


def game_texts() -> list[str]:
    """Return all of them, as they are in the catalogues, in alphabetical order."""
    found = {text for spec in built_in_games() for text in _texts_of(spec)}
    rows = (*CHOOSE.rows, *number_controls().rows, *message_rows(alone=True), *message_rows(alone=False))
    found.update(text for row in rows for text in (row.words, row.group))
    found |= {CHOOSE.mouse, Score().one, Score().many, RETURNS.one}
    declared = {message(text) for text in found if not _NOTATION.fullmatch(text)}
    return sorted(declared | {text for spec in built_in_games() if spec.rules for text in spec.rules.texts})


def _texts_of(spec: GameSpec) -> Iterator[str]:
    yield spec.summary
    yield from spec.seat_titles.values()
    yield from spec.seat_notes.values()
    yield from (spec.score.one, spec.score.many)
    for agent in spec.agents:
        yield from spec.names_of(agent)
        controls = spec.controls_of(agent)
        yield controls.mouse
        for row in controls.rows:
            yield from (row.words, row.group)


if __name__ == "__main__":
    print("\n".join(f"N_({text!r})" for text in game_texts()))
