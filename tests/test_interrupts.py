"""Ctrl-C while a command still imports what it needs: it ends, and says nothing."""

import os
import signal
import subprocess
import sys

import pytest

from tests.support.processes import DEADLINE


@pytest.mark.skipif(os.name != "posix", reason="Windows has no signal for one process")
@pytest.mark.parametrize("words", ["trainer", "trainer.imitation", "arcade train", "pettingzoo_arcade train"])
def test_an_interrupted_import_shows_no_traceback(words, tmp_path):
    command = [sys.executable, "-X", "importtime", "-m", *words.split(), "house/volley", "--dry-run"]
    environment = {**os.environ, "ARCADE_HOME": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as child:
        assert any(line.rstrip().endswith(" typer") for line in child.stderr), "half of the imports"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=DEADLINE)
    said = [line for line in err.splitlines() if not line.startswith("import time:")]
    assert (child.returncode, out, said) == (-signal.SIGINT, "", [])
