"""``python -m tests.benchmarks.chaos [MINUTES] [--seed N]``: prints one JSON object.

Asked for, with at least 100 kills and 100 stops (ten minutes): `worst_frame_ratio` at most 3, `lost_rows` 0,
`lost_recording_seconds` at most 0.6, `unverified_replays` 0, `orphans` 0, `leaked_fds` 0, `rss_growth_mb_per_hour` at
most 5.  Descriptors and memory count from the fifth minute on, and are None in a shorter run.  Six minutes tell a large
leak, but not a few megabytes an hour from none: read `rss_growth_interval` beside the growth.  Linux only: it reads
/proc.  CHAOS_LOG names a file for what the programs print.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.benchmarks.chaos.benchmark import run


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.chaos", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    words = parser.parse_args()
    try:
        print(json.dumps(run(words.minutes, words.seed)))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
