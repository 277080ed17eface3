"""What a strap that floods knows of the kernel's queues."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from virtual_strap.backlog import Backlog  # noqa: E402

HEAD = "sk               RefCnt Rmem   Wmem   User   Inode  Parent\n"
ROW = "00000000594aa43c 2      {:<6} 0      0      186    0     \n"


class BacklogTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.sockets, self.room = Path(folder.name) / "l2cap", Path(folder.name) / "rmem_default"
        self.room.write_text("212992\n")

    def is_long(self, *waiting: int) -> bool:
        self.sockets.write_text(HEAD + "".join(ROW.format(count) for count in waiting))
        backlog = Backlog(self.sockets, self.room)
        self.addCleanup(backlog.close)
        return backlog.is_long()

    def test_the_fullest_queue_counts(self) -> None:
        self.assertFalse(self.is_long())
        self.assertFalse(self.is_long(0, 106_496))
        self.assertTrue(self.is_long(0, 107_264, 768))

    def test_each_look_sees_what_is_now(self) -> None:
        self.sockets.write_text(HEAD + ROW.format(212_992))
        backlog = Backlog(self.sockets, self.room)
        self.addCleanup(backlog.close)
        self.assertTrue(backlog.is_long())
        self.sockets.write_text(HEAD + ROW.format(0))
        self.assertFalse(backlog.is_long())

    def test_where_the_kernel_does_not_tell_it_is_never_long(self) -> None:
        backlog = Backlog(self.sockets, self.room)
        self.assertFalse(backlog.is_long())
        backlog.close()


if __name__ == "__main__":
    unittest.main()
