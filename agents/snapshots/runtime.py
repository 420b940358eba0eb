"""onnxruntime, without its telemetry: import it from here alone.

Its packages write an identifier of this machine below the user's cache folder and report each loaded model to
Microsoft, on Linux and macOS unless this variable says otherwise before the import:
https://github.com/microsoft/onnxruntime/blob/main/docs/Privacy.md
"""

from __future__ import annotations

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

onnxruntime.disable_telemetry_events()  # for Windows

__all__ = ["onnxruntime"]
