"""Seats that think ahead: the kind ``search:mcts``, and ``snapshot:NAME?search=200``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from agents.seats.controller import MOVES, Controller, SeatChoice, SeatError
from agents.seats.kinds.kind import NamedSeatKind, SeatContext
from agents.wire.limits import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from agents.seats.controller import SeatSpec
    from agents.snapshots.snapshot import Snapshot

SIMULATIONS = 1000
"""Of ``search:mcts`` without a number."""
MOVETIME_MS = 5_000
"""Milliseconds after which a search ends, without a number."""

_HIGHEST = {"search": 1_000_000, "simulations": 1_000_000, "movetime_ms": 20_000}


class Search(NamedSeatKind):
    """Searches by games at random, without a snapshot."""

    name, form = "search", "search:mcts"
    settings = ("simulations", "movetime_ms")
    takes_limits = True

    def check(self, argument: str) -> None:
        if argument != "mcts":
            raise SeatError(f"expected {self.form}")

    def describe(self, choice: SeatChoice) -> str:
        return f"search, {_number(choice, 'simulations', SIMULATIONS)} games"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        simulations = _number(choice, "simulations", SIMULATIONS)
        settings = {"simulations": simulations}
        label = f"search ({simulations} games)"
        return make_searching(choice, seat, context.bare_searcher, settings, label, settings, obs_type=context.searched)


def search_with(snapshot: Snapshot, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
    """The controller that searches with a snapshot, as many positions a move as the seat word says."""
    from agents.snapshots.graph import read_graph  # numpy takes long to import

    card, simulations = snapshot.card, _number(choice, "search", 0)
    has_memory = any(name.startswith("state_in_") for name in read_graph(snapshot.onnx).inputs)
    if has_memory or card.frame_skip > 1 or card.sticky_actions:
        raise SeatError(f"expected a snapshot without memory that decides at each move for {choice}, got {card.name!r}")
    if len(snapshot.onnx) > MAX_MESSAGE_BYTES // 2:
        most = MAX_MESSAGE_BYTES // 2**21
        raise SeatError(f"expected a snapshot of at most {most} MiB for {choice}, got {card.name!r}")
    own = (card.model_dump_json(), snapshot.onnx, snapshot.trusted)
    report = {"snapshot": card.name, "sha256": card.sha256, "search": simulations}
    settings = {"simulations": simulations, "snapshot": own}
    label = f"{card.name} (search {simulations})"
    return make_searching(choice, seat, context.searcher, settings, label, report)


def make_searching(
    choice: SeatChoice, seat: SeatSpec, searcher: str, settings: Mapping[str, Any], label: str,
    report: Mapping[str, Any], *, obs_type: str = MOVES,
) -> Controller:  # fmt: skip
    """A seat that searches in a process of its own, `searcher`; raises SeatError where the game has none."""
    if not searcher:
        cards = ", or for search:mcts a card game whose hidden cards can be drawn from what a seat knows"
        measured = f"; arcade games measure {seat.game} finds out about your own" if ":" in seat.game else ""
        raise SeatError(
            f"expected a board game for {choice}, whose moves all can see and whose positions can be saved exactly"
            f"{cards}, got {seat.game}{measured}"
        )
    from agents.engines.thinking import FunctionProcess, SearchController  # numpy takes long to import

    seconds = _number(choice, "movetime_ms", MOVETIME_MS) / 1000
    own = {"game": seat.game, "seconds": seconds, **settings}
    process = partial(FunctionProcess, searcher, own)
    return SearchController(process, label=label, report=report, obs_type=obs_type)


def _number(choice: SeatChoice, name: str, default: int) -> int:
    """The setting of a seat word; raises SeatError for a wrong one."""
    text = dict(choice.settings).get(name, str(default))
    highest = _HIGHEST[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= highest):
        raise SeatError(f"expected 1 <= {name} <= {highest}, got: {text!r}")
    return int(text)
