"""SECURITY.md is true as far as a test can say: each threat names tests, and they exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.checks.audit import report

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_each_threat_names_what_stops_it_and_a_test() -> None:
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    assert [row[0] for row in rows if len(row) != 4 or not all(row) or not NAMED.search(row[3])] == []


def test_each_test_that_is_named_exists() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) == TEXT.count("tests/")
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{test}"


def test_an_audit_names_what_is_vulnerable_and_is_skipped_without_its_database() -> None:
    good = {"name": "numpy", "version": "2.0", "vulns": []}
    bad = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
    assert report(json.dumps({"dependencies": [good, bad]}), "") == (1, ["old 1.0: PYSEC-1, fixed in 1.1"])
    assert report(json.dumps({"dependencies": [good]}), "")[0] == 0
    status, [line] = report("", "ERROR: no route to pypi.org\n")
    assert (status, "skipped" in line, "no route" in line) == (0, True, True)
