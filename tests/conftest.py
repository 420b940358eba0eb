"""Marks tests by what they need, so that `make test-fast` runs those that need little."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent
FOLDERS = {
    "trainer": "ray",
    "arcade/engine": "window",
    "arcade/scenes": "window",
    "golden": "window",
    "test_readme.py": "ray",
    "test_wheel.py": "wheel",
}
"""Folders and files by the marker of their tests."""

ALONE = ("test_pictures.py", "test_real_window.py", "test_wheel.py", "test_window.py")
"""Files whose tests run one after the other: they share an arcade or a wheel, or put a window on a screen."""


class _Loggers(dict[str, Any]):
    """The loggers by name: pytest goes through their values while a thread's import may add one."""

    def values(self) -> Any:
        return list(super().values())


def pytest_configure() -> None:
    logging.Logger.manager.loggerDict = _Loggers(logging.Logger.manager.loggerDict)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="Approve the screens as they look now.")


@pytest.fixture(autouse=True, scope="session")
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep keys and files of tests out of the home of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARCADE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have remote seats wait for minutes, so that a machine that stalls makes none give its server up."""
    for name in ("HELLO_SECONDS", "ANSWER_SECONDS"):
        monkeypatch.setattr(f"agents.wire.patience.{name}", 240.0)


def _marker(path: Path) -> str | None:
    place = path.relative_to(ROOT).as_posix()
    return next((marker for folder, marker in FOLDERS.items() if f"{place}/".startswith(f"{folder}/")), None)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the folders whose marker is ruled out by ``-m "not …"``: importing them alone takes seconds."""
    marker = _marker(collection_path) if ROOT in collection_path.parents else None
    return True if marker and f"not {marker}" in config.option.markexpr else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test; those that share a ray, a screen or files go to one worker of a parallel run."""
    for item in items:
        if marker := _marker(item.path):
            item.add_marker(marker)
        if group := _group(item):
            item.add_marker(pytest.mark.xdist_group(group))


def _group(item: pytest.Item) -> str | None:
    if "ray_cluster" in getattr(item, "fixturenames", ()):
        return "ray"
    return item.path.stem if item.path.name in ALONE else None
