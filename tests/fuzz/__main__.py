"""Fuzz the parsers: ``python -m tests.fuzz [NAME …] [--seconds 60] [--inputs 1000000]``; exits with 1 for findings.

Atheris guides it by coverage where it is installed (Linux); elsewhere good inputs are mutated.  What it learns and
finds is kept in build/fuzz/NAME, and used by the next run.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.findings import MAX_BYTES, Findings
from tests.fuzz.mutation import MAX_LENGTH, mutated
from tests.fuzz.parser import NAMES, find_parser, quicken

FOLDER = Path("build/fuzz")
MOST_WAITING = 60
"""Seconds after which an input is a finding although it took little processor time."""
_STATUS = re.compile(r"#(\d+)\s.*?\bcov: (\d+)")


@dataclass
class Report:
    """One run."""

    name: str
    inputs: int
    seconds: float
    coverage: str
    findings: list[str]

    def __str__(self) -> str:
        rate = self.inputs / max(self.seconds, 1e-9)
        lines = [f"{self.name}: {self.inputs} inputs, {rate:.0f} a second, coverage {self.coverage}"]
        return "\n".join([*lines, *(f"  {finding}" for finding in self.findings or ["nothing found"])])


def fuzz_guided(name: str, *, inputs: int, seconds: int, seed: int) -> Report:
    """Fuzz in a process of its own, which libFuzzer ends."""
    folder = FOLDER / name
    shutil.rmtree(folder / "findings", ignore_errors=True)
    for old in folder.glob("*-*"):  # timeout-…, oom-… and crash-… of an earlier run
        old.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    flags = {
        "runs": inputs or -1, "max_total_time": seconds, "seed": seed, "timeout": MOST_WAITING,
        "rss_limit_mb": MAX_BYTES // 2**20 + 512, "max_len": MAX_LENGTH, "print_final_stats": 1,
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(folder), *(f"-{k}={v}" for k, v in flags.items())]
    start = time.monotonic()
    with open(folder / "log", "w+", encoding="utf-8", errors="replace") as log, tempfile.TemporaryDirectory() as home:
        code = subprocess.run(command, stdout=log, stderr=log, env={**os.environ, "ARCADE_HOME": home}).returncode
        elapsed = time.monotonic() - start
        log.seek(0)
        steps = _STATUS.findall(log.read())
    found = [path.read_text("utf-8").strip() + f" [{path.with_suffix('.input')}]" for path in _noted(folder)]
    found += [f"ended by {path}" for path in folder.glob("*-*")]
    if code and not found:
        found.append(f"ended with code {code}, see {folder / 'log'}")
    done, coverage = steps[-1] if steps else ("0", "unknown")
    return Report(name, int(done), elapsed, coverage, found)


def _noted(folder: Path) -> list[Path]:
    return sorted((folder / "findings").glob("*.txt"))


def fuzz_plainly(name: str, *, inputs: int, seconds: int, seed: int) -> Report:
    """Mutate good inputs in this process."""
    quicken()
    parser = find_parser(name)
    findings = Findings(parser, FOLDER / name / "findings")
    start = time.monotonic()
    for data in mutated(list(parser.inputs().values()), parser.words, seed=seed):
        if (inputs and findings.read >= inputs) or (seconds and time.monotonic() - start > seconds):
            break
        findings.take(data)
    return Report(name, findings.read, time.monotonic() - start, "not measured", list(findings.found))


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the parsers of untrusted files.")
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all without one")
    options.add_argument("--inputs", type=int, default=0, help="end after so many")
    options.add_argument("--seconds", type=int, default=0, help="end after so long")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--plain", action="store_true", help="by mutation, without Atheris")
    given = options.parse_args()
    if unknown := set(given.names) - set(NAMES):
        options.error(f"expected names of {', '.join(NAMES)}, got: {', '.join(sorted(unknown))}")
    is_guided = importlib.util.find_spec("atheris") is not None and not given.plain
    seconds = given.seconds or (0 if given.inputs else 60)
    found = 0
    for name in given.names or NAMES:
        fuzz = fuzz_guided if is_guided else fuzz_plainly
        report = fuzz(name, inputs=given.inputs, seconds=seconds, seed=given.seed)
        print(report, flush=True)
        found += len(report.findings)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
