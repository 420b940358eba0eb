"""SaveSlots: the moments of a game that people saved, in memory while their match runs and in files for later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.adjustable import AdjustableMatch, Moment
from arcade.match.playback.branch import Branch
from arcade.match.playback.reader import read_replay
from arcade.match.recording.memory_file import MatchRecords, packed
from arcade.session.match.moment_texts import hand_text, moment_to_come
from arcade.session.match.pace import back_text
from arcade.session.match.slot_files import SLOTS, Slot, SlotCard, SlotFiles
from arcade.session.recordings.recording_errors import recording_text
from arcade.session.recordings.takeover import lineup_with
from arcade.session.score_texts import score_words
from arcade.session.seating import sentence
from arcade.session.services import Services

Lineup = Mapping[AgentID, SeatChoice]


@dataclass(frozen=True)
class Played:
    """The match that moments are saved of."""

    match: AdjustableMatch
    records: MatchRecords
    recording: str = ""  # its id


class SaveSlots:
    """The slots of one game, during the match `played` or without one.

    `slots` come once `read` has read them; `changed` is called then, and after each save.
    """

    def __init__(
        self, services: Services, spec: GameSpec, played: Played | None = None, *,
        say: Callable[..., None] = lambda text, about="": None,
    ) -> None:  # fmt: skip
        """`say` tells the players of the match where it has gone back to."""
        self.slots: dict[int, Slot] = {}
        self.changed: Callable[[], None] = lambda: None
        self._services, self._spec, self._played, self._say = services, spec, played, say
        self._moments: dict[int, Moment] = {}  # of this match, by slot
        self._back = False
        self._files = SlotFiles(spec.id)

    def read(self) -> None:
        """Read the slots again."""
        self._services.worker.submit(self._files.list, done=self._listed)

    @property
    def next_number(self) -> int:
        """The slot that is saved to by default: the first free one, else the oldest."""
        free = next((number for number in range(1, SLOTS + 1) if number not in self.slots), None)
        return free or min(self.slots, key=lambda number: self.slots[number].saved)

    def moment_of(self, slot: Slot) -> str:
        """The moment of a slot in words, with the score: "Move 12", "0:34, 3 : 2 points", "Hand 3, flop"."""
        return ", ".join(filter(None, self.lines_of(slot)))

    def lines_of(self, slot: Slot) -> tuple[str, str]:
        """Its moment and its score; the score is "" in a game without."""
        card = slot.card
        moment = hand_text(card.hand) if card.hand else moment_to_come(self._spec, card.tick, over=False)
        return moment[:1].upper() + moment[1:], score_words(self._spec, card.score)

    def save(self, number: int, lineup: Lineup, save_picture: Callable[[Path], None]) -> bool:
        """Save the present moment of the match; False while its stage is at work, or where it is over."""
        played = self._played
        moment = played.match.save_moment() if played is not None else None
        if played is None or moment is None:
            return False
        records = played.records.copy()
        self._moments[number] = moment
        seats = {str(agent): str(choice) for agent, choice in lineup.items() if choice.is_human}
        tick, score = played.match.tick, tuple(None if one is None else float(one) for one in played.match.score)
        view = (tick.views.get(None) if tick is not None else None) or {}
        card = SlotCard(
            tick=moment.state.index, seats=seats, recording=played.recording, score=score,
            hand={key: view[key] for key in ("street", "number", "hands")} if "street" in view else None,
        )  # fmt: skip

        def saved(slot: Slot) -> None:
            self.slots[number] = slot
            self._services.say(_("Saved in slot {number}: {moment}").format(
                number=number, moment=self.moment_of(slot)), about="slots")  # fmt: skip
            self.changed()

        self._services.worker.submit(
            lambda: self._files.write(number, card, packed(records), save_picture), done=saved, failed=self._failed,
            errors=(UserError, OSError),
        )  # fmt: skip
        return True

    def go_back(self, number: int) -> bool:
        """Begin to go back to a moment that this very match has passed; False for any other."""
        moment = self._moments.get(number)
        return moment is not None and self.go_to(moment)

    def go_to(self, moment: Moment) -> bool:
        """The same, to any moment of this match."""
        self._back = self._played is not None and self._played.match.load_moment(moment)
        return self._back

    def update(self) -> None:
        """Say where a match that goes back has arrived."""
        match = self._played.match if self._played is not None else None
        if self._back and match is not None and not match.rewinding and match.tick is not None:
            self._back = False
            self._say(back_text(match), about="slots")

    def open(self, number: int, done: Callable[[Branch], None]) -> None:
        """Read the file of a slot, for a match that begins there."""
        slot = self.slots[number]

        def read() -> Branch:
            replay = read_replay(slot.path)
            return Branch(replay=replay, tick=len(replay.actions), recording=slot.card.recording or slot.path.stem)

        self._services.worker.submit(
            read, done=done, failed=lambda error: self._services.say(sentence(recording_text(error, slot.path))),
            errors=(UserError, OSError),
        )  # fmt: skip

    def lineup(self, number: int, branch: Branch) -> dict[AgentID, SeatChoice]:
        """The players of that moment: people at the devices that they had, AI that is here."""
        spec, seats = self._spec, self.slots[number].card.seats
        people = {agent: choice for agent in spec.agents if (choice := _device(seats.get(str(agent), "")))}
        return lineup_with(branch.replay, spec, branch.tick, self._services.library.names(spec.id), people)

    def _listed(self, slots: dict[int, Slot]) -> None:
        self.slots = slots
        self.changed()

    def _failed(self, error: BaseException) -> None:
        self._services.say(str(error))


def _device(word: str) -> SeatChoice | None:
    """The device of a person; None for any other word: a file must not run code or call an address."""
    try:
        choice = parse_seat(word) if word else None
    except UserError:
        return None
    return choice if choice is not None and choice.is_human else None
