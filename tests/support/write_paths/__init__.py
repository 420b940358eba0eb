"""What the arcade writes to disk, each with how to read it again: the table of the crash tests."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.write_paths.home import (
    AllowedKeyPath,
    FavouritesPath,
    MembershipPath,
    PeoplePath,
    SecretPath,
    SettingsPath,
    TrustedWordsPath,
)
from tests.support.write_paths.path import WritePath
from tests.support.write_paths.recordings import (
    CardPath,
    DataSetPath,
    NotesPath,
    RecordingPath,
    SavedMomentPath,
    TrashPath,
    VideoPath,
)
from tests.support.write_paths.results import LadderPath, NewLadderPath, TournamentPath
from tests.support.write_paths.training import CheckpointPath, ManifestPath, MetricsPath, SnapshotPath
from tests.support.write_paths.wrong import ForgetfulPath, InPlacePath, LitteringPath, UnflushedPath

WRITE_PATHS: Sequence[WritePath] = (
    SettingsPath(), PeoplePath(), TrustedWordsPath(), SecretPath(), SnapshotPath(), LadderPath(), NewLadderPath(),
    CardPath(), TrashPath(), RecordingPath(), FavouritesPath(), TournamentPath(), DataSetPath(), VideoPath(),
    CheckpointPath(), MetricsPath(), ManifestPath(), NotesPath(), SavedMomentPath(), AllowedKeyPath(), MembershipPath(),
)  # fmt: skip
WRONG_PATHS: Sequence[WritePath] = (InPlacePath(), UnflushedPath(), LitteringPath(), ForgetfulPath())
