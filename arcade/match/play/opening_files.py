"""Reads openings, start positions and first moves of matches of a board game, from PGN, SGF, EPD, FEN or text files.

The stones that an SGF file sets up are the first moves; a PGN game may begin with a position (FEN).  All other files
have an opening a line: a position of chess as FEN or EPD, whose operations do not count, moves of chess (``e4 e5`` or
``e2e4 e7e5``), points of go (``D4 Q16``), or numbers of actions (``3 3 2``).  A FEN may be followed by ``moves`` and
moves, as in UCI.  Lines that begin with # are comments.
"""

from __future__ import annotations

import io
import itertools
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import chess
import chess.pgn

from agents.engines.gtp import action_at
from agents.engines.uci import action_of
from agents.errors import UserError, code_of
from agents.files import read_file
from arcade.games.positions import name_position, read_position
from arcade.games.spec import GameSpec
from arcade.match.play.opening import Opening

MAX_BYTES, MAX_OPENINGS, MAX_MOVES = 2**24, 10_000, 400
"""Of a file; what is beyond is refused."""

CHESS, GO = "classic/chess_v6", "classic/go_v5"
STANDARD = ("standard", "chess", "normal", "from position", "fromposition")
"""Variants in PGN that are chess as everybody plays it."""

GO_SIZES = {GO: 19, "classic/go_9x9_v5": 9}

_MOVES_BEHIND = re.compile(r"(\S+ [wb] \S+ \S+ \d+ \d+) moves (.+)")
_PROPERTY = re.compile(r"([A-Z]+)\s*((?:\[[^\]]*\]\s*)+)")
_VALUE = re.compile(r"\[\s*([^\]]*?)\s*\]")
_TEXT = re.compile(r"(?<=[A-Z])\[(?!\s*[a-z]{2}:[a-z]{2}\s*\])(?:[^\\\]]|\\.){3,}\]", re.DOTALL)
"""Values of SGF longer than a point and no rectangle: names and comments, which may have brackets of their own."""


class OpeningError(UserError):
    """A file without openings of the game, or an opening with an illegal move."""


def read_openings(path: Path, spec: GameSpec) -> tuple[Opening, ...]:
    """Return the openings of a file, each once, in their order; raises OpeningError."""
    if not spec.is_board_game:
        raise OpeningError(f"expected no openings in {spec.id}, which is no board game; leave out --openings")
    try:
        text = read_file(path, most=MAX_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        text = f"expected a file of openings at {path}, got: {error}"
        raise OpeningError(text, code=code_of(error)) from error
    found = dict.fromkeys(one for one in _parse(text.removeprefix("\ufeff"), path, spec) if one.text)
    if not found:
        raise OpeningError(f"expected openings of {spec.id} in {path}, a line or a game each, got none")
    return tuple(found)


def _parse(text: str, path: Path, spec: GameSpec) -> Iterator[Opening]:
    go = spec.id if spec.id in GO_SIZES else GO
    readers: dict[str, tuple[str, Callable[[], Iterator[Opening]]]] = {
        ".pgn": (CHESS, lambda: _from_pgn(text, path.name)),
        ".sgf": (go, lambda: map(Opening, _from_sgf(text, GO_SIZES[go]))),
        ".epd": (CHESS, lambda: _from_lines(text, path.name, spec)),
        ".fen": (CHESS, lambda: _from_lines(text, path.name, spec)),
    }
    game, read = readers.get(path.suffix.lower(), (spec.id, lambda: _from_lines(text, path.name, spec)))
    if game != spec.id:
        raise OpeningError(f"expected openings of {spec.id}, got {path.name}, which has those of {game}")
    for number, one in enumerate(read(), 1):
        if number > MAX_OPENINGS or len(one.actions) > MAX_MOVES:
            raise OpeningError(f"expected at most {MAX_OPENINGS} openings of {MAX_MOVES} moves in {path}, got more")
        yield one


def _from_pgn(text: str, name: str) -> Iterator[Opening]:
    file, logger = io.StringIO(text), logging.getLogger("chess.pgn")
    logger.setLevel(logging.CRITICAL)  # the error says it
    while True:
        begin = file.tell()
        game = chess.pgn.read_game(file)
        if game is None:
            return
        try:
            yield _from_game(game)
        except ValueError as error:
            rest = text[begin:]
            line = text.count("\n", 0, begin + len(rest) - len(rest.lstrip())) + 1
            raise OpeningError(f"{name}, game from line {line}: expected legal moves of chess, got: {error}") from error


def _from_game(game: chess.pgn.Game) -> Opening:
    if game.errors:
        raise ValueError(game.errors[0])
    if (variant := game.headers.get("Variant", STANDARD[0])).lower() not in STANDARD:
        raise ValueError(f"the variant {variant}")
    board = read_position(game.headers["FEN"]) if "FEN" in game.headers else chess.Board()
    return _chess_opening(board, [move.uci() for move in game.mainline_moves()])


def _from_sgf(text: str, size: int) -> Iterator[tuple[int, ...]]:
    """The main lines: of several variations the first one, which ends at the first bracket that closes."""
    depth, line, is_read = 0, list[str](), False
    for part in re.split(r"([()])", _TEXT.sub("[]", text)):
        depth += (part == "(") - (part == ")")
        if part == ")" and line:
            yield _sgf_actions("".join(line), size)
            line, is_read = [], True
        if depth == 0:
            line, is_read = [], False
        elif not is_read and part not in "()":
            line.append(part)


def _sgf_actions(line: str, size: int) -> tuple[int, ...]:
    """The moves of a line of nodes; stones that are set up (AB, AW) are played first, with a pass where need be.

    No stone of a position is taken while it is built, in any order: a part of a group has a liberty where the rest of
    it will be.
    """
    stones: dict[str, list[int]] = {"B": [], "W": []}
    moves, first = list[tuple[str, int]](), ""
    for name, values in _PROPERTY.findall(line):
        points = _VALUE.findall(values)
        if name in ("AB", "AW", "AE") and (moves or name == "AE"):
            raise OpeningError(f"expected stones set up before the first move, got: {name}{values.strip()[:40]}")
        if name in ("AB", "AW"):
            stones[name[1]] += [_go_action(point, size) for own in points for point in _rectangle(own)]
        elif name in ("B", "W"):
            moves.append((name, _go_action(points[0], size)))
        elif name == "PL":
            first = points[0][:1].upper()
    pairs = itertools.zip_longest(stones["B"], stones["W"])
    placed = [(colour, one) for pair in pairs for colour, one in zip("BW", pair, strict=True) if one is not None]
    actions = _in_turn([*placed, *moves], size * size)
    first = first or ("W" if stones["B"] and not stones["W"] else "B")  # White is the first after a handicap
    is_due = placed and not moves and first != "BW"[len(actions) % 2]
    return (*actions, size * size) if is_due else actions


def _in_turn(moves: Sequence[tuple[str, int]], skip: int) -> tuple[int, ...]:
    """The actions by Black and White in turn, with a pass before each move of the side that is not to move."""
    actions = list[int]()
    for colour, action in moves:
        actions += [action] if colour == "BW"[len(actions) % 2] else [skip, action]
    return tuple(actions)


def _rectangle(text: str) -> list[str]:
    """The points of a value: a point, or a rectangle such as ``aa:cc``."""
    if not re.fullmatch(r"[a-z]{2}(:[a-z]{2})?", text) or text == "tt":
        raise OpeningError(f"expected stones at points such as dd or aa:cc, got: {text[:20]!r}")
    if ":" not in text:
        return [text]
    columns, rows = (range(ord(one), ord(other) + 1) for one, other in zip(*text.split(":"), strict=True))
    return [chr(column) + chr(row) for column in columns for row in rows]


def _go_action(point: str, size: int) -> int:
    if point in ("", "tt"):
        return size * size
    if not re.fullmatch(r"[a-z]{2}", point):
        raise OpeningError(f"expected points of a board such as dd, got: {point[:20]!r}")
    column, row = (ord(letter) - ord("a") for letter in point)
    if max(column, row) >= size:
        raise OpeningError(f"expected points of a board of {size} by {size}, got: {point!r}")
    return row * size + column


def _from_lines(text: str, name: str, spec: GameSpec) -> Iterator[Opening]:
    for number, line in enumerate(text.splitlines(), 1):
        is_position = spec.id == CHESS and "/" in line.partition("#")[0].partition(" ")[0]
        words = (line if is_position else line.partition("#")[0]).split()  # an EPD may have moves such as Qxf7#
        if not words:
            continue
        try:
            yield _from_position(" ".join(words)) if is_position else _opening(words, spec)
        except ValueError as error:
            what = "a position of chess as FEN or EPD" if is_position else f"moves of {spec.id}"
            got = " ".join(words)[:80]
            raise OpeningError(f"{name}, line {number}: expected {what}, got: {got!r} ({error})") from error


def _opening(words: list[str], spec: GameSpec) -> Opening:
    if all(word.isdecimal() for word in words):
        return Opening(tuple(map(int, words)))
    if spec.id == CHESS:
        return _chess_opening(chess.Board(), words)
    if size := GO_SIZES.get(spec.id):
        return Opening(tuple(action_at(word, size) for word in words))
    raise ValueError("not the numbers of actions")


def _from_position(line: str) -> Opening:
    """A FEN, with moves behind the word ``moves`` as in UCI, or an EPD."""
    found = _MOVES_BEHIND.fullmatch(line)
    board, words = read_position(found[1] if found else line), found[2].split() if found else []
    if words and all(word.isdecimal() for word in words):
        return Opening(tuple(map(int, words)), name_position(board))
    return _chess_opening(board, words)


def _chess_opening(board: chess.Board, words: list[str]) -> Opening:
    start, actions = name_position(board), list[int]()
    for word in words:
        move = board.parse_uci(word) if re.fullmatch(r"[a-h][1-8][a-h][1-8][qrbn]?", word) else board.parse_san(word)
        actions.append(action_of(move, black=board.turn == chess.BLACK))
        board.push(move)
    if board.is_game_over(claim_draw=True):
        raise ValueError("the game is over then")
    return Opening(tuple(actions), start)
