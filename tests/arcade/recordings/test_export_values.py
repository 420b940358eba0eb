"""How composite values and odd names are written into data sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from gymnasium import spaces

from arcade.recordings.export import DataSet, DataSetWriter, export_episodes
from arcade.recordings.export.data_set import gathered, leaves
from arcade.recordings.export.minari import MinariWriter
from arcade.recordings.export.npz import NumpyWriter
from arcade.recordings.export.parquet import ParquetWriter
from tests.support.seat_episodes import made_episode

WRITERS: list[type[DataSetWriter]] = [MinariWriter, ParquetWriter, NumpyWriter]


@pytest.mark.parametrize("writer", WRITERS)
def test_composite_observations_are_written_part_by_part(tmp_path: Path, writer: type[DataSetWriter]) -> None:
    space = spaces.Dict({"card": spaces.Discrete(9), "place": spaces.Tuple((spaces.Box(0, 9, (2,), np.float32),))})
    seen = [{"card": number, "place": (np.full(2, number, np.float32),)} for number in range(6)]
    episode = made_episode(observations=seen)
    [one] = export_episodes([episode], tmp_path, writer=writer, spaces_of=lambda _: (space, spaces.Discrete(4)))
    if writer is NumpyWriter:
        with np.load(one.path) as data:
            assert data["observation.card"].tolist() == [0, 1, 2, 3, 4]
            assert data["observation.place.0"].shape == (5, 2)
            assert data["final_observation.card"].tolist() == [5]
    elif writer is ParquetWriter:
        assert pyarrow.parquet.read_table(one.path)["observation.card"].to_pylist() == [0, 1, 2, 3, 4]
    else:
        import minari

        read = minari.MinariDataset(one.path / "data")[0]
        assert read.observations["card"].tolist() == [0, 1, 2, 3, 4, 5]
        assert read.observations["place"][0].shape == (6, 2)


def test_arrow_reads_boards_of_truth_values_as_arrays(tmp_path: Path) -> None:
    space = spaces.Box(0, 1, (2, 3), np.bool_)
    seen = np.arange(36).reshape(6, 2, 3) % 5 == 0
    [one] = export_episodes(
        [made_episode(observations=seen)],
        tmp_path,
        writer=ParquetWriter,
        spaces_of=lambda _: (space, spaces.Discrete(4)),
    )
    table = pyarrow.parquet.read_table(one.path)
    np.testing.assert_array_equal(table["observation"].combine_chunks().to_numpy_ndarray(), seen[:-1])
    np.testing.assert_array_equal(table["final_observation"][-1].as_py(), seen[-1].ravel())


def test_names_of_games_and_seats_cannot_leave_the_folder() -> None:
    data = DataSet(game="../..:up", name="../x y", observation_space=None, action_space=None)
    assert data.path == "up/x-y"


def test_nested_values_are_gathered_as_their_space_says() -> None:
    space = spaces.Dict({"a": spaces.Discrete(3), "b": spaces.Box(0, 1, (2,), np.float32)})
    value = gathered([{"a": 1, "b": np.zeros(2)}, {"a": 2, "b": np.ones(2)}], space)
    assert {name: (part.shape, str(part.dtype)) for name, part in leaves(value, "x")} == {
        "x.a": ((2,), "int64"),
        "x.b": ((2, 2), "float32"),
    }
    with pytest.raises(ValueError, match=r"expected values of the shape \(2,\), got: \(3,\)"):
        gathered([{"a": 1, "b": np.zeros(3)}], space)
