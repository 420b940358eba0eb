"""Membership: the match under way that this machine is in, to be joined again after a crash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.errors import UserError
from agents.files import home, read_json, replace_file
from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.together.messages import MAX_PEERS
from arcade.together.ways.codes import parse_code


@dataclass(frozen=True)
class Membership:
    """The match that this machine is in, as ARCADE_HOME/online.json has it until the match is over here."""

    code: str
    match: str
    seats: Mapping[str, SeatChoice]  # of this machine, by agent
    others: tuple[str, ...] = ()  # codes of machines that may have become the host

    @staticmethod
    def path() -> Path:
        return home() / "online.json"

    @classmethod
    def read(cls) -> Membership | None:
        """The match that was left without an end; None for none."""
        try:
            found = read_json(cls.path())
            parse_code(found["code"])
            others = tuple(found.get("others", ())[:MAX_PEERS])
            for code in others:
                parse_code(code)
            seats = {agent: parse_seat(word) for agent, word in found["seats"].items()}
            return cls(found["code"], str(found["match"]), seats, others)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, UserError):
            return None

    def write(self) -> None:
        seats = {agent: str(choice) for agent, choice in self.seats.items()}
        facts = {"code": self.code, "match": self.match, "seats": seats, "others": self.others}
        replace_file(self.path(), json.dumps(facts))

    @classmethod
    def forget(cls) -> None:
        """The match is over here."""
        cls.path().unlink(missing_ok=True)
