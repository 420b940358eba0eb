"""The corpora, a short fuzzing run of every parser, and what counts as a finding."""

from __future__ import annotations

import functools
from importlib import metadata
from itertools import islice

import pytest

from tests.fuzz.findings import MAX_BYTES, MAX_SECONDS, Findings
from tests.fuzz.mutation import mutated
from tests.fuzz.parser import NAMES, Parser, find_parser

INPUTS = 1000
"""Of each parser's short run."""


@pytest.fixture(autouse=True)
def _installed_once(monkeypatch):
    """Installed packages are looked for once: it takes ten times as long as all else."""
    monkeypatch.setattr(metadata, "entry_points", functools.cache(metadata.entry_points))


@pytest.fixture(params=NAMES)
def parser(request):
    return find_parser(request.param)


def test_every_seed_is_read(parser):
    """What is refused at its first byte leads fuzzing nowhere."""
    for name in parser.make_seeds():
        parser.read((parser.corpus / name).read_bytes())


def test_nothing_in_the_corpus_is_a_finding(parser):
    findings = Findings(parser)
    for data in parser.inputs().values():
        findings.take(data)
    assert findings.found == {}


def test_a_short_run_finds_nothing(parser):
    findings = Findings(parser)
    for data in islice(mutated(list(parser.inputs().values()), parser.words, seed=1), INPUTS):
        findings.take(data)
    assert findings.found == {}


def read_planted(data: bytes) -> None:
    """A parser with two faults."""
    if data.startswith(b"\xff"):
        raise KeyError("planted")
    if not data.isascii():
        raise ValueError("expected ASCII")
    if b"<<" in data:
        raise IndexError("planted")


PLANTED = Parser("planted", read_planted, (ValueError,), dict, (b"<",))


def test_mutation_finds_both_faults_of_a_bad_parser(tmp_path):
    findings = Findings(PLANTED, tmp_path / "found")
    for data in islice(mutated([b"hello <world>"], PLANTED.words, seed=1), 2000):
        findings.take(data)
    assert sorted(what.split(" ")[0] for what in findings.found) == ["IndexError", "KeyError"]
    assert sorted(path.read_bytes() for path in tmp_path.glob("found/*.input")) == sorted(findings.found.values())


def test_the_same_seed_gives_the_same_inputs():
    one, two, other = (list(islice(mutated([b"hello"], [], seed=seed), 50)) for seed in (1, 1, 2))
    assert one == two != other


@pytest.mark.parametrize(("seconds", "memory"), [(MAX_SECONDS + 1, 0), (0, MAX_BYTES + 1)])
def test_too_much_time_or_memory_for_one_input_is_a_finding(seconds, memory):
    spent = [0.0, 0]

    def read(data: bytes) -> None:
        spent[0] += seconds
        spent[1] += memory

    slow = Parser("slow", read, (), dict)
    findings = Findings(slow, clock=lambda: spent[0], memory=lambda: int(spent[1]))
    findings.take(b"x")
    assert len(findings.found) == 1


def test_an_error_that_the_parser_promises_is_no_finding():
    findings = Findings(PLANTED)
    findings.take("ö".encode())
    assert findings.found == {}
