"""Looks up known vulnerabilities of the installed packages by pip-audit: ``make audit``.

Without pip-audit or its database the check is skipped, which is said.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Any


def report(answer: str, complaint: str) -> tuple[int, list[str]]:
    """The exit status and the lines to print for what pip-audit wrote to its two outputs."""
    try:
        packages: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        reason = (complaint.strip().splitlines() or ["it gave no reason"])[-1]
        return 0, [f"pip-audit skipped: it could not reach its database ({reason})"]
    found = [
        f"{package['name']} {package['version']}: {one['id']}, fixed in {' or '.join(one['fix_versions']) or 'none'}"
        for package in packages
        for one in package.get("vulns", ())
    ]
    return (1 if found else 0), found or [f"pip-audit: no known vulnerability in {len(packages)} packages"]


def main() -> int:
    if importlib.util.find_spec("pip_audit") is None:
        print("pip-audit skipped: it is not installed; install it with: .venv/bin/pip install pip-audit")
        return 0
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off", "--skip-editable"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    status, lines = report(done.stdout, done.stderr)
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    raise SystemExit(main())
