"""Receives packets from a socket in Python: packet_peer.py DESCRIPTOR COUNT. The other side of tools/bench link."""

from __future__ import annotations

import socket
import sys

if __name__ == "__main__":
    source = socket.socket(fileno=int(sys.argv[1]))
    print("ready", flush=True)
    for _ in range(int(sys.argv[2])):
        if len(source.recv(512)) != 4:
            raise SystemExit("another packet than was sent")
    print("done", flush=True)
    sys.stdin.read()
