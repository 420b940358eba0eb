"""Words that run code, start programs or reach other machines, and those that the user of this machine trusts.

Files may come from anywhere: settings, runs, sweeps, tournaments, recordings, ladders.  What they name is run only if
the user typed that very word here before, or trusted it when asked, and it still means the same file::

    check_words(words, how="--trust")         # raises UntrustedError
    trust(words)                              # they were typed, or the user said yes

``ARCADE_HOME/trusted.json`` has each word with the place that it meant::

    {"python:my_player:play": {"id": "", "from": "/home/ann/my_player.py"}}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TypedDict

from agents.errors import UserError
from agents.files import home, locked, read_file, replace_file

FILE, OLD_FILE = "trusted.json", "games.json"
"""The second one has the games that earlier versions had opened, unless the list of favourites took its place."""

MAX_BYTES = 2**20

Entry = TypedDict("Entry", {"id": str, "from": str})
"""The id of a game, "" for a seat word; the place that the word meant."""


class UntrustedError(UserError):
    """Words that would run something and are not trusted here."""


class TrustFileError(UserError):
    """A list of trusted words that is damaged or cannot be written."""


def what_runs(word: str) -> str:
    """What a seat word would run or reach, for people; "" for a word that does neither.  Imports nothing."""
    from agents.seats.kinds import SEAT_KINDS, is_kind  # they are imported by most programs anyway

    name, colon, rest = word.strip().partition(":")
    kind = SEAT_KINDS.get(name)
    if kind is None:
        return f"the package that adds {name!r}" if is_kind(name) else ""
    return f"{kind.runs}: {rest.partition('?')[0]}" if kind.runs and colon else ""


def untrusted(words: Iterable[str]) -> dict[str, str]:
    """The words that would run something and are not trusted, each with what it would run.  Raises TrustFileError."""
    found = {word.strip(): what for word in words if (what := what_runs(word))}
    known = read_trusted() if found else {}
    return {word: what for word, what in found.items() if not _is_trusted(plain(word), known)}


def check_words(words: Iterable[str], *, how: str) -> None:
    """Raise UntrustedError for words that would run something; `how` says how to trust them."""
    if found := untrusted(words):
        raise UntrustedError(f"expected words that are trusted on this machine, got: {', '.join(found)}; {how}")


def trust(words: Iterable[str]) -> None:
    """Note the words that run something as trusted, meaning what they mean now.  Raises TrustFileError."""
    for word in untrusted(words):
        note(plain(word), id="", place=place_of(plain(word)))


def note(word: str, *, id: str, place: str) -> None:
    """Add an entry.  Raises TrustFileError where it cannot be saved."""
    entry = Entry({"id": id, "from": place})
    if read_trusted().get(word) == entry:
        return
    path = home() / FILE
    try:
        with locked(home()):
            entries = {**read_trusted(), word: entry}
            replace_file(path, json.dumps(entries, indent=1, sort_keys=True) + "\n")
    except OSError as error:
        raise TrustFileError(f"expected to save {word!r} in {path}, got: {error.strerror or error}") from error


def read_trusted() -> Mapping[str, Entry]:
    """All entries by word.  Raises TrustFileError for a damaged file."""
    import msgspec  # on demand: most machines trust no word

    path = home() / FILE
    try:
        return msgspec.json.decode(read_file(path, most=MAX_BYTES), type=dict[str, Entry])
    except FileNotFoundError:
        return _read_old()
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        reason = f"expected a list of trusted words in {path}, got: {error or type(error).__name__}"
        raise TrustFileError(f"{reason}; move it away, and open games or type words again") from error


def _read_old() -> Mapping[str, Entry]:
    import msgspec

    try:
        return msgspec.json.decode(read_file(home() / OLD_FILE, most=MAX_BYTES), type=dict[str, Entry])
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return {}


def _is_trusted(word: str, known: Mapping[str, Entry]) -> bool:
    return word in known and place_of(word) in ("", known[word]["from"])


def plain(word: str) -> str:
    """The word without its options, which change how it plays and not what runs."""
    return word.strip().partition("?")[0]


def place_of(word: str) -> str:
    """The file that a seat word would run, "" where it cannot be found or runs on another machine."""
    from agents.seats.kinds import SEAT_KINDS

    name, _, argument = word.partition(":")
    return SEAT_KINDS[name].place(argument) if name in SEAT_KINDS else ""
