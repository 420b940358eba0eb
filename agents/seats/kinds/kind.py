"""SeatKind: one kind of seat, such as a keyboard, a snapshot or an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from agents.seats.controller import MOVES, Controller, SeatChoice, SeatError, SeatSpec

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy
    from agents.seats.limits import Limits
    from agents.snapshots.store import SnapshotStore

DeviceFactory = Callable[[SeatChoice, SeatSpec], Controller]
"""Makes the controller of a person's device."""


@dataclass(frozen=True, kw_only=True)
class SeatContext:
    """The data that kinds make their controllers from."""

    store: SnapshotStore
    turn_based: bool = False  # whether the game waits for each move
    scripted: str = ""  # ``module:function`` of the game's scripted player; "" where it ships none
    has_levels: bool = False  # whether that player takes a level
    searcher: str = ""  # ``module:Class`` that searches the game with a snapshot; "" where it cannot be searched
    bare_searcher: str = ""  # the same without a snapshot, from observations of type `searched`
    searched: str = MOVES
    devices: Mapping[str, DeviceFactory] = field(default_factory=dict)  # by kind of seat; none without a window


class SeatKind(ABC):
    """One kind of seat: its word, its argument and options, and its controllers.

    A new kind is a subclass in one file and a line in `built_in.KINDS`; another package calls
    `agents.seats.kinds.register` or uses the entry point group ``arcade.seats``::

        class Mirror(SeatKind):
            name = form = "mirror"

            def make(self, choice, seat, context):
                return MirrorController()
    """

    name: ClassVar[str]
    """The word before the colon."""

    form: ClassVar[str]
    """The whole word as an error message shows it, as in ``remote:ADDRESS[/POLICY]``."""

    title: ClassVar[str] = ""
    """The name for people of a kind without an argument."""

    settings: ClassVar[tuple[str, ...]] = ()
    """Its own options after the question mark, besides human limits; they make it another player."""

    takes_limits: ClassVar[bool] = False
    """Whether options, human limits among them, may follow it."""

    is_vectorised: ClassVar[bool] = False
    """Whether its policy decides for many matches at once faster than a controller for each, and never stalls."""

    is_one_player: ClassVar[bool] = True
    """Whether the word means one AI player in every match, so that evaluations and tournaments can have it."""

    runs: ClassVar[str] = ""
    """What a seat of this kind runs or reaches beyond the arcade's own code, for people; "" for nothing.  Words of such
    kinds in files are asked about; see `agents.trust`."""

    def place(self, argument: str) -> str:
        """The file that a word of a kind that `runs` something means now, "" for none; imports nothing."""
        return ""

    def check(self, argument: str) -> None:
        """Raise SeatError, without quoting `argument`, where it is wrong; by default it must be empty."""
        if argument:
            raise SeatError(f"expected {self.form} with nothing after it")

    def describe(self, choice: SeatChoice) -> str:
        """The choice, without its limits, in a few words for people."""
        return choice.argument or self.title or self.name

    def limits(self, choice: SeatChoice, *, turn_based: bool) -> Limits:
        """The limits that the word itself means, before its options."""
        from agents.seats.limits import Limits  # gymnasium takes long to import

        return Limits()

    @abstractmethod
    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        """The controller of one live seat, without limits; raises UserError where there is none."""

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        """The policy of many seats at once, on the `places` of a match; raises UserError where there is none."""
        from agents.policies.adapters import ControllerBatch

        return ControllerBatch(lambda seat: self.make(choice, seat, context), places, label=str(choice))


class NamedSeatKind(SeatKind):
    """A kind that needs an argument."""

    def check(self, argument: str) -> None:
        if not argument:
            raise SeatError(f"expected {self.form}")
