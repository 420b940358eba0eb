"""Order and ImitationSettings: the options of an imitation, without torch so that errors come at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from agents.snapshots.card import check_name
from arcade.games.spec import GameSpec
from arcade.match.play.result import RecordingSource
from arcade.recordings.library import Recording
from arcade.recordings.query import HELD_OUT, DatasetQuery
from trainer.config import ConfigError
from trainer.config.explaining import explain
from trainer.config.sections import Section

Method = Literal["bc", "marwil"]


class ImitationSettings(Section):
    """The same settings and recordings give the same clone."""

    algorithm: Method = "bc"
    """bc: behaviour cloning.  marwil: good decisions count more (Wang et al. 2018, Exponentially weighted imitation
    learning)."""
    epochs: int = Field(40, ge=1, le=10_000)
    """Epochs at most."""
    patience: int = Field(10, ge=1)
    """Epochs without a better validation score after which training ends."""
    seed: int = Field(0, ge=0, lt=2**31)
    """Of weights and order."""
    held_out: float = Field(HELD_OUT, ge=0, le=0.9)
    """Share of the recordings for the reported figures, by which nothing is learnt or chosen; 0: none, all are learnt
    from, and every epoch is made."""
    validation: float = Field(0.1, gt=0, le=0.9)
    """Share of the recordings that chooses the epoch; it is in addition to `held_out`."""
    lr: float = Field(1e-3, gt=0, le=1)
    """Step size of Adam in the first epoch; it falls evenly to a twentieth."""
    minibatch: int = Field(256, ge=1)
    """Decisions a gradient step at most."""
    weight_decay: float = Field(0.1, ge=0, le=10)
    """Of the weights (Loshchilov and Hutter 2019, arXiv 1711.05101)."""
    noise: float = Field(0.0, ge=0, le=1)
    """Standard deviation of the noise added to observed numbers in training, in units of their own deviation."""
    ignore: tuple[Annotated[int, Field(ge=0)], ...] = ()
    """Indices of observed numbers that the policy ignores, from 0."""
    grad_clip: float = Field(10.0, gt=0)
    """Norm of the gradient at most."""
    gamma: Annotated[float, Field(gt=0, le=1)] = 0.99
    """Discount per decision, of the returns for the critic and for marwil."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the critic's loss, in units of the deviation of returns."""
    beta: float = Field(1.0, gt=0, le=1)
    """marwil: how much more good play counts."""
    weight: float = Field(0, ge=0, le=1000)
    """How many times corrected decisions count (a human-gated DAgger, Kelly et al. 2019, arXiv 1810.02890); 0: all of
    them together as much as all of the policy's own (intervention weighted regression, Mandlekar et al. 2020, arXiv
    2012.06733)."""
    before_takeover_ms: int = Field(500, ge=0, le=60_000)
    """Milliseconds of a real-time game before a person takes over in which the policy's own decisions do not count:
    people react 200 to 500 ms after a mistake (Liu et al. 2022, arXiv 2211.08416, weigh them with 0, too)."""


def make_settings(given: dict[str, Any]) -> ImitationSettings:
    """Raises ConfigError naming the field."""
    try:
        return ImitationSettings.model_validate(given)
    except ValidationError as error:
        raise ConfigError(explain(error, given, model=ImitationSettings)) from error


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The decisions of a query and, with `corrected`, the matches in which people took over from that snapshot.

    The snapshot's own decisions in these matches count too, since the person accepted them.  A query without a player
    then selects these matches alone.
    """

    query: DatasetQuery
    corrected: str = ""

    def seats(self, recording: Recording) -> tuple[str, ...]:
        """The agents of a recording whose decisions count, as text."""
        if not self.corrected:
            return self.query.seats(recording)
        selected = () if self._any_player else self.query.seats(recording)
        return tuple(dict.fromkeys((*selected, *self._corrected_seats(recording))))

    def includes(self, source: RecordingSource) -> bool:
        """Whether what `source` decided counts."""
        if self.corrected and not source.takeover and source.snapshot == self.corrected:
            return True
        return self.query.wants(source) and (source.takeover or not self.corrected or not self._any_player)

    @property
    def _any_player(self) -> bool:
        return not (self.query.person or self.query.label or self.query.kind)

    def _corrected_seats(self, recording: Recording) -> tuple[str, ...]:
        if not recording.card.takeovers or not replace(self.query, person="", label="", kind="").seats(recording):
            return ()
        sources = recording.replay().sources
        played = {source.agent for source in sources if source.snapshot == self.corrected}
        return tuple(sorted(played & {source.agent for source in sources if source.takeover}))


@dataclass(frozen=True, kw_only=True)
class Order:
    """A clone to make."""

    spec: GameSpec
    selection: Selection
    settings: ImitationSettings
    layers: dict[str, Any]  # sections `network` and `wrappers` of a run's settings, where given
    start: str = ""  # the snapshot to start from, "" for none
    name: str = ""  # of the snapshot; "": clone-PLAYER-NUMBER
    command: str = ""  # for the card

    def __post_init__(self) -> None:
        try:
            check_name(self.name or "free")
        except ValueError as error:
            raise ConfigError(f"--name: {error}") from None

    @property
    def parent(self) -> str:
        """The snapshot to start from; corrections start from the corrected one."""
        return self.start or self.selection.corrected
