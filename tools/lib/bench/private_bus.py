"""A D-Bus daemon of the benchmark's own, and a sender of signals that costs next to nothing."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import tempfile
from pathlib import Path

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
</busconfig>
"""
OBJECT = "/org/bluez/hci0/dev_00_11_22_33_44_55/service000a/char000b"
CALL, REPLY, SIGNAL = 1, 2, 4


class PrivateBus:
    """Ends with the `with` block."""

    def __enter__(self) -> PrivateBus:
        self.folder = tempfile.TemporaryDirectory(prefix="tachogram-bench-")
        path = Path(self.folder.name)
        (path / "bus.conf").write_text(CONFIGURATION.format(socket=path / "bus"))
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", "--print-address=1", f"--config-file={path / 'bus.conf'}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.daemon.stdout is not None
        self.address = self.daemon.stdout.readline().strip()
        self.socket = str(path / "bus")
        if not self.address:
            raise SystemExit("bench: dbus-daemon gave no address")
        return self

    def __exit__(self, *_: object) -> None:
        self.daemon.send_signal(signal.SIGKILL)
        self.daemon.wait()
        self.folder.cleanup()


def padded(data: bytes, to: int) -> bytes:
    """Returns `data` padded with zeros to a multiple."""
    return data + bytes(-len(data) % to)


def string(text: str) -> bytes:
    """Returns a string or object path (D-Bus specification, "Marshaling")."""
    return struct.pack("<I", len(text)) + text.encode() + b"\0"


def message(kind: int, serial: int, fields: dict[int, tuple[str, str]], body: bytes = b"") -> bytes:
    """Returns a little-endian message; `fields` by number, each with its type (D-Bus specification, "Header Fields")."""
    entries = b""
    for number, (signature, text) in fields.items():
        value = bytes([len(text)]) + text.encode() + b"\0" if signature == "g" else string(text)
        entries = padded(entries, 8) + bytes([number, 1]) + signature.encode() + b"\0" + value
    head = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(body), serial, len(entries))
    return padded(head + entries, 8) + body


def value_changed(serial: int, object_path: str = OBJECT) -> bytes:
    """Returns the signal of BlueZ for a notification of four bytes, which differ each time."""
    body = padded(string("org.bluez.GattCharacteristic1"), 4)
    # The entries of a dictionary begin at a multiple of eight, and so does this one's key in the whole body.
    start = len(body) + 4
    lead = -start % 8
    properties = string("Value") + b"\2ay\0"
    properties += bytes(-(start + lead + len(properties)) % 4) + struct.pack("<I", 4)
    properties += bytes([0x16, serial & 0xFF, 0x20, 0x03])
    body += struct.pack("<I", len(properties)) + bytes(lead) + properties
    body = padded(body, 4) + struct.pack("<I", 0)
    return message(SIGNAL, serial, {
        1: ("o", object_path), 2: ("s", "org.freedesktop.DBus.Properties"), 3: ("s", "PropertiesChanged"),
        8: ("g", "sa{sv}as"),
    }, body)


class Emitter:
    """A connection that owns the name of the Bluetooth daemon. Its messages are created in advance."""

    CHUNK = 256

    def __init__(self, bus: PrivateBus) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(bus.socket)
        self.stream = self.socket.makefile("rb")
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        if not self.stream.readline().startswith(b"OK"):
            raise SystemExit("bench: the private bus refuses the sender")
        self.socket.sendall(b"BEGIN\r\n")
        self.call("Hello")
        self.call("RequestName", "su", padded(string("org.bluez"), 4) + struct.pack("<I", 4))
        self.signals = b"".join(value_changed(number + 1) for number in range(self.CHUNK))

    def call(self, member: str, signature: str = "", body: bytes = b"") -> None:
        """Calls the bus, and waits for the reply."""
        fields = {1: ("o", "/org/freedesktop/DBus"), 2: ("s", "org.freedesktop.DBus"), 3: ("s", member),
                  6: ("s", "org.freedesktop.DBus")}
        if signature:
            fields[8] = ("g", signature)
        self.socket.sendall(message(CALL, 1, fields, body))
        while True:
            head = self.stream.read(16)
            length, _, entries = struct.unpack("<III", head[4:])
            self.stream.read(len(padded(bytes(entries), 8)) + length)
            if head[1] in (REPLY, 3):
                return

    def flood(self, count: int) -> None:
        """Sends `count` signals, a multiple of CHUNK, and waits until the bus has read them."""
        for _ in range(count // self.CHUNK):
            self.socket.sendall(self.signals)
        self.call("GetId")
