"""The Debian packages of the lab, against an archive that scripts in the place of apt and dpkg play."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from radio_lab.host import packages  # noqa: E402
from radio_lab.host.apt import LOCKED, Apt, kernel_version  # noqa: E402
from radio_lab.host.failure import LabFailure  # noqa: E402
from radio_lab.host.kernel_source import Distribution, KernelSource, choose_source  # noqa: E402
from radio_lab.host.places import DEBIAN_PACKAGES  # noqa: E402

KNOWN = {"linux-source-6.1": "6.1.176-1", "bluez": "5.66-1", "dbus": "1.14-1", "tshark": "4.0-1"}
BOOKWORM = Distribution("bookworm", "Debian GNU/Linux 12 (bookworm)")
OTHER = Distribution("trixie", "Debian GNU/Linux 13 (trixie)")

# Each tool answers from files in $archive: what is offered before and after an update, and what is refused.
APT_CACHE = """#!/bin/sh
case $1 in
  madison) /bin/cat "$archive/offered/$2" 2>/dev/null ;;
  search) /bin/cat "$archive/sources" 2>/dev/null ;;
esac
"""
APT_GET = """#!/bin/sh
echo "$*" >>"$archive/log"
for word; do
  case $word in
    update) /bin/cp -r "$archive/news/." "$archive" ;;
    download) downloads=yes ;;
  esac
  if /bin/grep -qxF -e "$word" "$archive/refused"; then echo "E: not $word"; exit 100; fi
  last=$word
done
if [ -n "$downloads" ]; then
  case $last in *=*) version=${last#*=} ;; *) version=9.9-9 ;; esac
  : >"${last%%=*}_${version}_all.deb"
fi
"""
DPKG_QUERY = """#!/bin/sh
/bin/cat "$archive/installed"
"""


class ArchiveTests(unittest.TestCase):
    """Nothing of this machine is asked or changed."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.archive = Path(folder.name)
        self.tools = self.archive / "bin"
        for name in ("bin", "offered", "news/offered"):
            (self.archive / name).mkdir(parents=True)
        for name in ("log", "refused", "installed", "sources"):
            (self.archive / name).touch()
        for name, script in (("apt-get", APT_GET), ("apt-cache", APT_CACHE), ("dpkg-query", DPKG_QUERY)):
            self.add_tool(name, script)
        (self.tools / "env").symlink_to("/usr/bin/env")
        # Every other command that the lab looks for is there.
        for name in (*packages.RUNNING, *packages.BUILDING):
            self.add_tool(name, "#!/bin/sh\n")
        self.said: list[str] = []
        self.apt = Apt(self.said.append)
        for patch in (mock.patch.dict(os.environ, {"PATH": str(self.tools), "archive": str(self.archive)}),
                      mock.patch.object(packages, "SYSTEM_FOLDERS", ""),
                      mock.patch("importlib.util.find_spec", lambda name: True),
                      mock.patch("os.geteuid", lambda: 0)):
            patch.start()
            self.addCleanup(patch.stop)

    def add_tool(self, name: str, script: str) -> None:
        """Adds a command to the PATH."""
        (self.tools / name).write_text(script)
        (self.tools / name).chmod(0o755)

    def offer(self, name: str, *versions: str, after_update: bool = False) -> None:
        """Sets the versions of a package in the archive."""
        folder = self.archive / ("news/offered" if after_update else "offered")
        (folder / name).write_text("".join(f" {name} | {version} | http://archive main\n" for version in versions))

    def lack(self, *commands: str) -> None:
        """Removes commands."""
        for command in commands:
            (self.tools / command).unlink()

    def ran(self) -> list[str]:
        """Returns the arguments of apt-get, without the lock that it always waits for."""
        lines, locked = (self.archive / "log").read_text().splitlines(), f"{' '.join(LOCKED)} "
        # Downloads change nothing.
        self.assertEqual([line for line in lines if locked not in line and " download " not in line], [])
        return [line.replace(locked, "") for line in lines]


class InstallationTests(ArchiveTests):
    """Missing packages are installed in the tested version if it is available."""

    def require(self) -> None:
        packages.require_packages(False, KNOWN, self.apt)

    def install(self, *names: str) -> str:
        return " ".join(["-y -q install --no-install-recommends", *names])

    def test_nothing_is_done_where_nothing_is_missing(self) -> None:
        self.require()
        self.assertEqual((self.ran(), self.said), ([], []))

    def test_what_is_missing_is_installed_in_the_known_version(self) -> None:
        self.lack("bluetoothctl", "tshark")
        self.offer("bluez", "5.66-2", "5.66-1")
        self.offer("tshark", "4.0-1")
        self.require()
        self.assertEqual(self.ran(), [self.install("bluez=5.66-1", "tshark=4.0-1")])
        self.assertEqual(self.said[0], "Missing: bluez tshark.")

    def test_a_known_version_that_is_gone_is_told_and_another_taken(self) -> None:
        self.lack("bluetoothctl", "tshark")
        self.offer("bluez", "5.66-2")
        self.offer("tshark", "4.0-1")
        self.require()
        self.assertEqual(self.ran(), ["-q update", self.install("bluez", "tshark=4.0-1")])
        self.assertIn("The archive does not have bluez 5.66-1 (but 5.66-2); taking what it has", self.said)

    def test_an_update_may_bring_the_known_version(self) -> None:
        self.lack("bluetoothctl")
        self.offer("bluez", "5.66-1", after_update=True)
        self.require()
        self.assertEqual(self.ran(), ["-q update", self.install("bluez=5.66-1")])

    def test_a_package_of_no_known_version_is_installed_all_the_same(self) -> None:
        self.lack("ip")
        self.offer("iproute2", "6.1-3")
        self.require()
        self.assertEqual(self.ran(), [self.install("iproute2")])

    def test_stale_lists_are_updated_and_it_is_tried_again(self) -> None:
        self.lack("bluetoothctl")
        self.offer("bluez", "5.66-1")
        (self.archive / "refused").write_text("bluez=5.66-1\n")
        (self.archive / "news/refused").touch()
        self.require()
        self.assertEqual(self.ran(), [self.install("bluez=5.66-1"), "-q update", self.install("bluez=5.66-1")])

    def test_a_known_version_that_does_not_fit_here_gives_way(self) -> None:
        self.lack("bluetoothctl")
        self.offer("bluez", "5.66-1", "5.66-2")
        (self.archive / "refused").write_text("bluez=5.66-1\n")
        self.require()
        self.assertEqual(self.ran()[-1], self.install("bluez"))
        self.assertTrue(any("cannot be installed here" in line for line in self.said), self.said)

    def test_what_cannot_be_installed_is_a_failure_in_apts_words(self) -> None:
        self.lack("bluetoothctl")
        (self.archive / "refused").write_text("bluez\n")
        with self.assertRaisesRegex(LabFailure, "could not install bluez:\nE: not bluez"):
            self.require()

    def test_without_root_or_apt_it_is_said_what_to_do(self) -> None:
        self.lack("bluetoothctl")
        self.offer("bluez", "5.66-1")
        with mock.patch("os.geteuid", lambda: 1000):
            with self.assertRaisesRegex(LabFailure, "Run as root: apt-get install .* bluez=5.66-1$"):
                self.require()
        self.lack("apt-get")
        with self.assertRaisesRegex(LabFailure, "missing: bluez"):
            self.require()
        self.assertEqual(self.ran(), [])

    def test_sudo_is_used_where_this_is_not_root(self) -> None:
        self.add_tool("sudo", '#!/bin/sh\nexec "$@"\n')
        self.lack("bluetoothctl")
        self.offer("bluez", "5.66-1")
        with mock.patch("os.geteuid", lambda: 1000):
            self.require()
        self.assertEqual(self.ran(), [self.install("bluez=5.66-1")])
        self.assertIn("Running: sudo apt-get install --no-install-recommends bluez=5.66-1", self.said)


class VersionTests(ArchiveTests):
    """Installed packages are kept; other versions than the tested ones are reported and recorded."""

    def others(self, kernel: str, *installed: str) -> list[str]:
        (self.archive / "installed").write_text("".join(f"{line} installed\n" for line in installed))
        return packages.other_versions(KNOWN, kernel, self.apt)

    def test_known_versions_are_not_worth_a_word(self) -> None:
        same = ("bluez 5.66-1", "dbus 1.14-1", "tshark 4.0-1")
        self.assertEqual(self.others("linux-source-6.1 6.1.176-1", *same), [])
        self.assertEqual((self.ran(), self.said), ([], []))

    def test_other_versions_are_told_in_one_line_and_left_alone(self) -> None:
        others = self.others("linux-source-6.1 6.1.192-2", "bluez 5.70-1", "dbus 1.14-1")
        self.assertEqual(others, ["bluez 5.70-1", "tshark of no package", "linux-source-6.1 6.1.192-2"])
        self.assertEqual(len(self.said), 1)
        for other in others:
            self.assertIn(other, self.said[0])
        self.assertEqual(self.ran(), [])

    def test_removed_packages_are_not_installed(self) -> None:
        (self.archive / "installed").write_text("bluez 5.66-1 config-files\n")
        self.assertEqual(self.apt.installed(["bluez"]), {})

    def test_where_there_is_no_dpkg_no_version_is_known(self) -> None:
        self.lack("dpkg-query")
        self.assertIn("bluez of no package", self.others(""))

    def test_the_list_names_all_that_the_lab_looks_for(self) -> None:
        known = packages.read_versions(DEBIAN_PACKAGES)
        needed = {*packages.RUNNING.values(), *packages.BUILDING.values(), "libc6-dev", "python3-venv"}
        # dpkg is of every Debian, and what it says does not depend on its version.
        self.assertEqual(needed - set(known), {"dpkg"})
        self.assertEqual([name for name in known if name not in needed], ["linux-source-6.1"])


class KernelSourceTests(ArchiveTests):
    """The package for the guest's kernel."""

    def choose(self, here: Distribution, *offered: str) -> KernelSource:
        (self.archive / "sources").write_text("".join(f"{name} - Linux kernel source\n" for name in offered))
        return choose_source(KNOWN, here, self.apt)

    def test_debian_12_has_the_known_one(self) -> None:
        self.assertEqual(self.choose(BOOKWORM, "linux-source-6.12").text, "linux-source-6.1=6.1.176-1")
        self.assertEqual(self.ran(), [])

    def test_others_have_the_next_newer_or_else_the_newest(self) -> None:
        self.assertEqual(self.choose(OTHER, "linux-source-6.16", "linux-source-6.12").text, "linux-source-6.12")
        self.assertEqual(self.choose(OTHER, "linux-source-6.12", "linux-source-6.1").text, "linux-source-6.1")
        self.assertEqual(self.choose(OTHER, "linux-source-4.19", "linux-source-5.10").text, "linux-source-5.10")
        self.assertLess(kernel_version("linux-source-6.1"), kernel_version("linux-source-6.12"))

    def test_the_lists_of_a_fresh_container_are_fetched_first(self) -> None:
        (self.archive / "news/sources").write_text("linux-source-6.12 - Linux kernel source\n")
        self.assertEqual(self.choose(OTHER).text, "linux-source-6.12")
        self.assertEqual(self.ran(), ["-q update"])

    def test_a_distribution_without_one_is_told_what_to_do(self) -> None:
        for offered in ((), ("linux-source-6.8.0",)):
            with self.assertRaisesRegex(LabFailure, "Debian GNU/Linux 13 .*Debian 12, or in a container of it"):
                self.choose(OTHER, *offered)
        self.lack("apt-get", "apt-cache")
        with self.assertRaises(LabFailure):
            self.choose(Distribution("", "Fedora"))

    def download(self, source: KernelSource) -> str:
        return source.download(self.archive, self.archive / "build.log", self.apt)

    def test_the_known_version_is_fetched(self) -> None:
        self.assertEqual(self.download(KernelSource("linux-source-6.1", "6.1.176-1")), "6.1.176-1")
        self.assertEqual(self.ran(), ["-o APT::Sandbox::User=root download linux-source-6.1=6.1.176-1"])

    def test_a_version_that_is_gone_is_told_and_another_fetched(self) -> None:
        (self.archive / "refused").write_text("linux-source-6.1=6.1.176-1\n")
        self.assertEqual(self.download(KernelSource("linux-source-6.1", "6.1.176-1")), "9.9-9")
        self.assertEqual(len(self.ran()), 4)
        self.assertIn("does not have linux-source-6.1=6.1.176-1", self.said[-1])

    def test_sources_that_cannot_be_fetched_are_a_failure(self) -> None:
        (self.archive / "refused").write_text("linux-source-6.12\n")
        with self.assertRaisesRegex(LabFailure, "cannot fetch linux-source-6.12"):
            self.download(KernelSource("linux-source-6.12"))


if __name__ == "__main__":
    unittest.main()
