"""The bluetoothd of another release, with scripts in place of apt-get and dpkg-deb."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from radio_lab.host import other_daemon  # noqa: E402
from radio_lab.host.failure import LabFailure  # noqa: E402
from radio_lab.host.other_daemon import LOADER, PROGRAM, OtherDaemon  # noqa: E402

APT_GET = """#!/bin/sh
echo "$*" >>"$log"
for word; do
  case $word in
    Dir::Etc::sourcelist=*)
      if /bin/grep -q fails "${word#Dir::Etc::sourcelist=}"; then echo "E: no such release" >&2; exit 100; fi ;;
  esac
  case $word in Dir::Cache=*) cache=${word#Dir::Cache=} ;; install) : >"$cache/archives/bluez.deb" ;; esac
done
"""
DPKG_DEB = f"""#!/bin/sh
[ -n "$empty" ] && exit 0
for file in {LOADER} {PROGRAM}; do /bin/mkdir -p "$3/${{file%/*}}" && : >"$3/$file"; done
"""


class OtherDaemonTests(unittest.TestCase):
    """Downloading and unpacking."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"
        for name, script in (("apt-get", APT_GET), ("dpkg-deb", DPKG_DEB)):
            (self.folder / name).write_text(script)
            (self.folder / name).chmod(0o755)
        keyring = self.folder / "keyring"
        keyring.touch()
        for patch in (mock.patch.dict(os.environ, {"PATH": str(self.folder), "log": str(self.log)}),
                      mock.patch.object(other_daemon, "KEYRING", keyring)):
            patch.start()
            self.addCleanup(patch.stop)
        self.said: list[str] = []

    def words(self, release: str = "trixie") -> tuple[str, ...]:
        """Returns the command of a daemon."""
        return OtherDaemon(release, self.folder / "cache").words(self.said.append)

    def test_it_is_downloaded_once_and_runs_with_its_own_loader(self) -> None:
        words = self.words()
        self.assertEqual(words, self.words())
        self.assertEqual(len(self.log.read_text().splitlines()), 2)
        self.assertEqual(len(self.said), 1)
        self.assertTrue(words[0].endswith(LOADER) and words[-1].endswith(PROGRAM))
        self.assertTrue(Path(words[0]).exists() and Path(words[-1]).exists())
        self.assertIn("--download-only", self.log.read_text())

    def test_a_failed_download_is_told_and_leaves_nothing_that_looks_whole(self) -> None:
        with self.assertRaisesRegex(LabFailure, "no such release"):
            self.words("fails")
        self.assertFalse((self.folder / "cache/root").exists())

    def test_packages_without_the_daemon_are_refused(self) -> None:
        with mock.patch.dict(os.environ, {"empty": "yes"}), self.assertRaisesRegex(LabFailure, "have no"):
            self.words()
        self.assertFalse((self.folder / "cache/root").exists())

    def test_an_archive_that_cannot_be_verified_is_not_used(self) -> None:
        with mock.patch.object(other_daemon, "KEYRING", self.folder / "missing"), \
                self.assertRaisesRegex(LabFailure, "debian-archive-keyring"):
            self.words()
        self.assertFalse(self.log.exists())


if __name__ == "__main__":
    unittest.main()
