"""What seats, recordings and runs would run that this machine does not trust yet, for the questions of the window."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from agents.engines.engine import present_seats
from agents.seats.controller import AgentID, SeatChoice
from agents.snapshots.card import SnapshotCard
from agents.trust import place_of, what_runs
from agents.wire.addresses import without_key
from arcade.games.spec import GameSpec
from arcade.language import N_, _, date_text, local_number

Lineup = Mapping[AgentID, SeatChoice]

MOST_SHOWN = 4
"""Words of one question."""

LONGEST = 120
"""Characters of a word or a path in a question."""

_KINDS = {
    "python": N_("Python code"), "uci": N_("Program"), "gtp": N_("Program"), "remote": N_("Another machine"),
}  # fmt: skip

_CODE = "{kind}: {name}"


def running_words(spec: GameSpec, lineup: Lineup) -> list[str]:
    """The seat words that run something, but for the engines that the arcade itself offers.  Reads no file."""
    offered = set(present_seats(spec.id))
    return [str(choice) for choice in lineup.values() if choice not in offered and what_runs(str(choice))]


def named_snapshots(lineup: Lineup, names: Collection[str]) -> list[str]:
    """The snapshots in the lineup, each once; `names` are those that play the game, newest first."""
    chosen = [choice.argument for choice in lineup.values() if choice.kind == "snapshot"]
    newest = next(iter(names), "")
    return list(dict.fromkeys(filter(None, (newest if name == "latest" else name for name in chosen))))


def words_text(words: Iterable[str]) -> str:
    """What the seat words, and games as ``module:function``, would run, a line each, for people.

    Looks for the files that they mean, and imports nothing.
    """
    lines = [_word_text(word) for word in words]
    more = ["…"] if len(lines) > MOST_SHOWN else []
    return "\n".join((*lines[:MOST_SHOWN], *more))


def _word_text(word: str) -> str:
    kind, _colon, argument = word.partition("?")[0].partition(":")
    if kind not in _KINDS:  # a game, or a kind of another package
        kind, argument = "python", word
    name = without_key(argument) if kind == "remote" else argument
    place = place_of(f"{kind}:{argument}")
    text = _CODE.format(kind=_(_KINDS[kind]), name=_short(name))
    return f"{text} ({_short(place)})" if place else text


def card_text(card: SnapshotCard) -> str:
    """What is known of a snapshot from elsewhere, for people."""
    size = _("{count} bytes of ONNX").format(count=local_number(f"{card.size:,}"))
    made = _("made {date}").format(date=date_text(card.created.astimezone()))
    return f"{size}, {made}\nSHA-256 {card.sha256[:32]}\n{card.sha256[32:]}"


def _short(text: str) -> str:
    """Printable characters; the middle of a long text is left out."""
    shown = "".join(letter for letter in text if letter.isprintable())
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST // 2]} … {shown[-LONGEST // 2 :]}"
