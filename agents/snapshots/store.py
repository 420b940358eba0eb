"""SnapshotStore: a folder of snapshots: list, choose (latest, best, name), save atomically."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agents.files import PART, remove_unfinished, write_folder
from agents.files import folder as home_folder
from agents.platform import system
from agents.seats.controller import AgentID
from agents.snapshots.card import RESERVED, SnapshotCard, check_name
from agents.snapshots.promotion import damage, promote, promoted
from agents.snapshots.snapshot import (
    CARD_FILE,
    ONNX_FILE,
    Snapshot,
    SnapshotError,
    make_snapshot,
    read_card,
    read_snapshot,
)
from agents.snapshots.trust import is_trusted, trust

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder

__all__ = ["Rating", "Snapshot", "SnapshotCard", "SnapshotError", "SnapshotStore", "open_store"]

Rating = Callable[[str, str], float | None]
"""(game, snapshot name) -> rating, higher is stronger; None for an unrated one."""

_PACKAGE = Path(__file__).resolve().parent
BUNDLED = _PACKAGE / "bundled" if (_PACKAGE / "bundled").is_dir() else _PACKAGE.parents[1] / "assets" / "snapshots"
"""The snapshots that ship: inside the installed package, or in the repository."""


class SnapshotStore:
    """Snapshots in `root`, and in read-only folders beside it.

    Broken snapshots are listed in `refused`, name to reason; all others work.  `held` are further snapshots in memory,
    by the word that `get` is asked for.
    """

    def __init__(
        self, root: Path | str, *, bundled: Sequence[Path] = (), rating: Rating | None = None,
        held: Mapping[str, Snapshot] | None = None,
    ) -> None:  # fmt: skip
        self.root = Path(root)
        self.roots = (self.root, *bundled)
        self.rating, self._held = rating, held or {}
        self.refused: dict[str, str] = {}
        self._cards: dict[Path, tuple[tuple[int, ...], SnapshotCard]] = {}
        remove_unfinished(self.root)

    def save(self, card: SnapshotCard, onnx: bytes) -> Snapshot:
        """Write a snapshot that this machine made and trusts; the card's sha256 and size are filled in.

        Raises SnapshotError where card and graph do not agree, or another snapshot has the name.
        """
        snapshot = replace(make_snapshot(card, onnx), trusted=True)
        trust(snapshot.card.sha256)
        return self._write(snapshot)

    def add(self, snapshot: Snapshot, *, name: str = "") -> Snapshot:
        """Write a copy, of that `name`; it is trusted only where its graph was before.

        Raises SnapshotError for a name that no snapshot may have, or that another one has.
        """
        try:
            card = snapshot.card.model_copy(update={"name": check_name(name or snapshot.card.name)})
        except ValueError as error:
            raise SnapshotError(str(error), fault="damaged") from None
        return self._write(replace(snapshot, card=card))

    def check_own(self, name: str) -> None:
        """Raise SnapshotError unless that snapshot is one of the user's: bundled ones stay."""
        if not (self.root / name).is_dir():
            raise SnapshotError(f"expected one of your own snapshots, got: {name!r}, which comes with the arcade")

    def delete(self, name: str) -> None:
        """Delete one of the user's snapshots for good, whole or not at all; raises SnapshotError."""
        self.check_own(name)
        aside = self.root / f".{name}.{os.getpid()}{PART}"
        os.rename(self.root / name, aside)
        shutil.rmtree(aside, ignore_errors=True)

    def _write(self, snapshot: Snapshot) -> Snapshot:
        onnx = snapshot.onnx
        target = self.root / snapshot.card.name

        def fill(folder: Path) -> None:
            (folder / ONNX_FILE).write_bytes(onnx)
            (folder / CARD_FILE).write_bytes(snapshot.card.model_dump_json(indent=1).encode())

        try:
            write_folder(target, fill)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
            with contextlib.suppress(SnapshotError):
                if read_card(target).sha256 == snapshot.card.sha256:
                    return snapshot
            text = f"expected a new name, got {snapshot.card.name!r}, which exists in {self.root}"
            raise SnapshotError(text, fault="taken") from error
        return snapshot

    def list(self, game: str | None = None) -> list[SnapshotCard]:
        """The cards that can be read, oldest first; the graphs are not opened."""
        cards = [card for card in self._scan().values() if game in (None, card.game)]
        return sorted(cards, key=lambda card: (card.created, card.step, card.name))

    def list_rated(self, game: str) -> Sequence[SnapshotCard]:
        """The cards of a game that the ladder has rated, the best first."""
        return self._by_rating(reversed(self.list(game)))

    def get(self, word: str, *, game: str | None = None, agent: AgentID | None = None) -> Snapshot:
        """The snapshot that `word` names: ``latest``, ``best``, a name, or the path of its folder or ONNX file.

        ``best`` is the promoted one, else the highest rated, else the one that trained longest; with `agent` both are
        chosen from those that play it.  Raises SnapshotError, listing the snapshots that exist.
        """
        if word in self._held:
            return self._fitting(self._held[word], game)
        if word in RESERVED:
            return self._first_whole(self._ranked(word, game, agent), game, agent)
        if os.sep in word or word.endswith(".onnx"):
            return self._fitting(_read_path(Path(word)), game)
        try:
            folder = self._folder(check_name(word))
        except ValueError as error:
            raise SnapshotError(f"{error}; {self._listing(game)}") from None
        if folder is None:
            raise SnapshotError(
                f"expected the name of a snapshot, got: {word!r}; {self._listing(game)}",
                code="not_found",
                fault="missing",
            )
        return self._fitting(self._read(folder), game)

    def promote(self, name: str) -> None:
        """Let ``best`` mean this snapshot in its game; raises SnapshotError."""
        card = self.get(name).card
        promote(self.root, card.game, card.sha256)

    def forget_promotion(self, game: str) -> None:
        """Let ``best`` mean the highest rated snapshot of the game again."""
        promote(self.root, game, "")

    def is_promoted(self, card: SnapshotCard) -> bool:
        """Whether ``best`` means the snapshot for a test that it passed."""
        return promoted(self.root).get(card.game) == card.sha256

    @property
    def promotions_damage(self) -> str:
        """Why the promotions cannot be read, "" where they can."""
        return damage(self.root)

    def read_part(self, word: str, *, game: str | None, start: int, size: int) -> tuple[SnapshotCard, bytes]:
        """The card of the snapshot that `word` names, and `size` bytes of its graph from `start` on, less at its end.

        No more is read.  Raises SnapshotError.
        """
        cards = self._ranked(word, game, None) if word in RESERVED else self.list(game)
        card = next((card for card in cards if word in RESERVED or card.name == word), None)
        folder = self._folder(card.name) if card is not None else None
        if card is None or folder is None:
            raise SnapshotError(
                f"expected the name of a snapshot, got: {word!r}; {self._listing(game)}",
                code="not_found",
                fault="missing",
            )
        try:
            with open(system.open_regular(folder / ONNX_FILE, follow=False), "rb") as file:
                file.seek(start)
                return card, file.read(size)
        except OSError as error:
            raise SnapshotError(f"expected to read {card.name}, got: {error.strerror or 'no plain file'}") from error

    def choose(self, word: str, *, game: str, agent: AgentID | None = None) -> str | None:
        """The name of the snapshot that `get` returns for ``latest`` or ``best``, by the cards alone: cheap.

        None where there is none.
        """
        names = (card.name for card in self._ranked(word, game, agent) if card.name not in self.refused)
        return next(names, None)

    def find_whole(self, word: str, *, game: str, agent: AgentID | None = None) -> str | None:
        """The name of the snapshot that `get` returns for ``latest`` or ``best``, None where there is none."""
        names = (card.name for card in self._ranked(word, game, agent))
        return next((name for name in names if self.is_whole(name)), None)

    def is_trusted(self, card: SnapshotCard) -> bool:
        """Whether the snapshot with this card of `list` may run in a process of ours."""
        folder = self._folder(card.name)
        is_bundled = folder is not None and folder.parent in self.roots[1:]
        return is_bundled or is_trusted(card.sha256)

    def is_whole(self, name: str) -> bool:
        """Whether that snapshot can be read and verified; if not, `refused` has the reason."""
        try:
            self.get(name)
        except SnapshotError:
            return False
        return True

    def _ranked(self, word: str, game: str | None, agent: AgentID | None) -> Sequence[SnapshotCard]:
        cards = [card for card in reversed(self.list(game)) if agent is None or card.plays(agent)]
        if word != "best":
            return cards
        known = self._by_rating(cards)
        names = {card.name for card in known}
        unknown = sorted((card for card in cards if card.name not in names), key=lambda card: -card.step)  # stable
        chosen = promoted(self.root)
        return sorted([*known, *unknown], key=lambda card: card.sha256 != chosen.get(card.game))

    def _by_rating(self, cards: Iterable[SnapshotCard]) -> Sequence[SnapshotCard]:
        """Those that the ladder has rated, the best first; of two alike, the one that comes first."""
        rated = [(self.rating(card.game, card.name) if self.rating else None, card) for card in cards]
        return [card for _, card in sorted(((mu, card) for mu, card in rated if mu is not None), key=lambda p: -p[0])]

    def _first_whole(self, cards: Sequence[SnapshotCard], game: str | None, agent: AgentID | None) -> Snapshot:
        for card in cards:
            folder = self._folder(card.name)
            try:
                if folder is not None:
                    return self._read(folder)
            except SnapshotError:
                continue  # kept in `refused`
        wanted = f"{f' of {game}' if game else ''}{f' that plays {agent!r}' if agent not in (None, '') else ''}"
        raise SnapshotError(
            f"expected a snapshot{wanted}, got none; {self._listing(game)}", code="not_found", fault="missing"
        )

    def _read(self, folder: Path) -> Snapshot:
        try:
            snapshot = read_snapshot(folder)
            if folder.parent in self.roots[1:]:  # bundled
                snapshot = replace(snapshot, trusted=True)
        except SnapshotError as error:
            self.refused[folder.name] = str(error)
            raise
        self.refused.pop(folder.name, None)
        return snapshot

    def _fitting(self, snapshot: Snapshot, game: str | None) -> Snapshot:
        if game is not None and snapshot.card.game != game:
            name, other = snapshot.card.name, snapshot.card.game
            raise SnapshotError(
                f"expected a snapshot of {game}, got {name!r} of {other}; {self._listing(game)}", fault="other game"
            )
        return snapshot

    def _folder(self, name: str) -> Path | None:
        return next((root / name for root in self.roots if os.path.lexists(root / name)), None)

    def _scan(self) -> dict[str, SnapshotCard]:
        cards: dict[str, SnapshotCard] = {}
        self.refused = {name: why for name, why in list(self.refused.items()) if self._folder(name)}
        for root in self.roots:
            for folder in sorted(root.iterdir()) if root.is_dir() else ():
                if folder.name.startswith(".") or folder.name in cards:
                    continue
                try:
                    cards[folder.name] = self._read_card(folder)
                except SnapshotError as error:
                    self.refused[folder.name] = str(error)
        return cards

    def _read_card(self, folder: Path) -> SnapshotCard:
        try:
            check_name(folder.name)
            if folder.is_symlink() or not folder.is_dir():
                raise ValueError("expected a folder, got a file or a link")
            card_status = os.lstat(folder / CARD_FILE)
            onnx_status = os.lstat(folder / ONNX_FILE)
        except ValueError as error:
            raise SnapshotError(f"{folder.name}: {error}", fault="damaged") from None
        except OSError as error:
            missing = Path(str(error.filename)).name
            raise SnapshotError(f"{folder.name}: expected {missing}, got: {error.strerror}", fault="damaged") from None
        size = onnx_status.st_size
        key = (card_status.st_mtime_ns, card_status.st_ino, onnx_status.st_mtime_ns, size)
        cached = self._cards.get(folder)
        if cached is None or cached[0] != key:
            card = read_card(folder)
            if card.size != size:
                raise SnapshotError(f"{folder.name}: expected {card.size} bytes of ONNX, got {size}", fault="damaged")
            if cached is not None:  # repaired since: the old reason no longer applies
                self.refused.pop(folder.name, None)
            self._cards[folder] = cached = (key, card)
        return cached[1]

    def _listing(self, game: str | None) -> str:
        names = [card.name for card in self.list(game)]
        where = f"in {', '.join(str(root) for root in self.roots)}"
        refused = f"; refused: {', '.join(self.refused)}" if self.refused else ""
        return f"there is {', '.join(names[-20:]) if names else 'none'} {where}{refused}"


def _read_path(path: Path) -> Snapshot:
    folder = path.parent if path.suffix == ".onnx" else path
    if not folder.is_dir():
        text = f"expected the folder of a snapshot with {CARD_FILE} and {ONNX_FILE}, got: {str(path)!r}"
        raise SnapshotError(text, code="invalid" if folder.exists() else "not_found", fault="missing")
    snapshot = read_snapshot(folder.resolve())
    return replace(snapshot, trusted=True) if folder.resolve().parent == BUNDLED.resolve() else snapshot


def open_store(root: Path | None = None, *, held: Mapping[str, Snapshot] | None = None) -> SnapshotStore:
    """The snapshots in `root`, by default the user's, and the bundled ones; the ladder beside `root` rates them."""
    root = home_folder("snapshots") if root is None else root
    rating = _ladder_rating(root.parent / "ladder.sqlite")
    return SnapshotStore(root, bundled=(BUNDLED,), rating=rating, held=held)


def _ladder_rating(path: Path) -> Rating:
    ladder: Ladder | None = None

    def rating(game: str, name: str) -> float | None:
        nonlocal ladder
        if ladder is None and not path.exists():
            return None
        from agents.ladder.ladder import Ladder, LadderError  # on demand: it takes long to import

        try:
            ladder = ladder or Ladder(path)
            return ladder.rating(game, name)
        except LadderError:  # play on without it: the best is then the latest
            return None

    return rating
