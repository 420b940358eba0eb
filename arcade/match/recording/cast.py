"""Cast: who sits where in a recording, under the names that may stand in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.play.recorder import Occupant
from arcade.match.play.result import MatchResult
from arcade.match.playback.replay import RecordingSource


class Cast:
    """Knows every seat's newest RecordingSource; people who did not agree to be named are "person 1", "person 2" …"""

    def __init__(self) -> None:
        self.sources: dict[AgentID, RecordingSource] = {}
        self._numbers: dict[str, int] = {}  # label of somebody who is not to be named → which person
        self._shown: dict[tuple[str, str], str] = {}  # seat and label → what stands for that label

    def seat(self, occupant: Occupant, why: str = "policy") -> RecordingSource:
        """Note who decides from now on; `why` as in a SeatChange."""
        human, before = occupant.is_human, self.sources.get(occupant.agent)
        sat_in = before is not None and before.takeover and why == "policy"
        self.sources[occupant.agent] = source = RecordingSource(
            tick=occupant.since,
            agent=str(occupant.agent),
            kind=occupant.kind,
            label=self._label(occupant),
            person=occupant.person if human else "",
            human=human,
            device=_device(occupant.report) if human else "",
            snapshot=str(occupant.report.get("snapshot", "")),
            takeover=human and (why == "takeover" or sat_in),
        )
        return source

    def _label(self, occupant: Occupant) -> str:
        if not occupant.is_human or occupant.person:
            return occupant.label
        number = self._numbers.setdefault(occupant.label, len(self._numbers) + 1)
        return self._shown.setdefault((str(occupant.agent), occupant.label), f"person {number}")

    def shown(self, agent: str, label: str) -> str:
        """What stands for the label of somebody who sits or sat on that seat."""
        return self._shown.get((agent, label), label)

    def report(self, agent: str, told: Mapping[str, Any]) -> dict[str, Any]:
        """What a controller of that seat reports of its play, without a name that is not to be there."""
        return {**told, "name": self.shown(agent, str(told["name"]))} if "name" in told else dict(told)

    def result(self, result: MatchResult) -> dict[str, Any]:
        """The result as JSON, without names that are not to be there."""
        data = result.as_json()
        data["lineup"] = {agent: self.shown(agent, label) for agent, label in data["lineup"].items()}
        data["seats"] = {agent: self.report(agent, told) for agent, told in data["seats"].items()}
        data["changes"] = [self.change(change) for change in data["changes"]]
        for (_, label), shown in self._shown.items():
            data["error"] = data["error"].replace(label, shown)
        return data

    def change(self, change: Mapping[str, Any]) -> dict[str, Any]:
        """A SeatChange as JSON, without names that are not to be there."""
        agent = change["agent"]
        return {**change, "label": self.shown(agent, change["label"]), "left": self.report(agent, change["left"])}


def _device(told: Mapping[str, Any]) -> str:
    """Which device, in words: that of its seat, and what layouts know a pad by."""
    return " ".join(str(told[part]) for part in ("device", "pad") if part in told)
