#!/usr/bin/env python3
"""The program against a real bluetoothd on a real kernel, with virtual straps: see tools/lib/lab/README.md and --help."""

import sys
from pathlib import Path

LAB = Path(__file__).resolve().parent
sys.path[:0] = [str(LAB), str(LAB.parent)]
sys.dont_write_bytecode = True

from radio_lab.host.command import main  # noqa: E402

sys.exit(main())
