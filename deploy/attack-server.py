#!/usr/bin/env python3
"""Attacks a running server with slow, greedy and broken clients, and prints what a bystander saw, as JSON.

usage: attack-server.py PUBLIC_PORT PID [connections of each attack]

All attacks run at once, from 127.0.0.1, against the real limits, for about 20 s. Nothing is downloaded and no package is
needed. `maxDescriptors` and `residentGrowthBytes` are read from /proc, `idleP99Milliseconds` and
`attackedP99Milliseconds` are those of one client that reads the configuration of clients over one connection.
"""
import json
import os
import socket
import sys
import threading
import time

PORT, PID = int(sys.argv[1]), int(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 40
READ = b"GET /v1/client-config HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = b"GET /v1/openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /v1/devices HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: 0123456789abcdef\r\n"


def connect(host="127.0.0.2", receive_bytes=None):
    sock = socket.socket()
    if receive_bytes:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    sock.bind((host, 0))
    sock.settimeout(30)
    sock.connect(("127.0.0.1", PORT))
    return sock


def open_at_server(sock):
    """Whether the server's end is established: a client that does not read cannot know it otherwise."""
    own = "%04X" % sock.getsockname()[1]
    with open("/proc/net/tcp") as table:
        for line in table.readlines()[1:]:
            fields = line.split()
            if fields[1].endswith(":%04X" % PORT) and fields[2].endswith(":" + own):
                return fields[3] == "01"
    return False


def drip(first, then, reads):
    """Sends a byte a second until the server ends the connection; the seconds that it took."""
    def attack():
        sock, start = connect(receive_bytes=None if reads else 4096), time.monotonic()
        sock.sendall(first)
        while time.monotonic() - start < 40:
            if reads:
                sock.settimeout(1)
                try:
                    if sock.recv(65536) == b"":
                        break
                except TimeoutError:
                    pass
                except OSError:
                    break
            else:
                time.sleep(1)
                if not open_at_server(sock):
                    break
            try:
                if then:
                    sock.sendall(then)
            except OSError:
                break
        sock.close()
        return time.monotonic() - start
    return attack


ATTACKS = {
    "dripOfHead": drip(b"GET /v1/client-config HTTP/1.1\r\nX: ", b"x", True),
    "dripOfBody": drip(POST + b"Content-Length: 10000\r\n\r\n{", b"x", True),
    "dripOfChunks": drip(POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", True),
    "dripToUnknownPath": drip(b"POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx", b"x", True),
    "unreadAnswers": drip(LARGE * 14, b"", False),
    "pipelining": drip(READ * 2000, b"", False),
    "silence": drip(b"", b"", True),
}


def large_chunks():
    sock, start = connect(), time.monotonic()
    try:
        sock.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        while time.monotonic() - start < 40:
            sock.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
    except OSError:
        pass
    sock.close()
    return time.monotonic() - start


ATTACKS["endlessChunks"] = large_chunks


class Bystander:
    """One client that reads 20 times a second over one connection."""

    def __init__(self):
        self.sock, self.times, self.failures = connect("127.0.0.9"), [], 0

    def read(self):
        start, data = time.monotonic(), b""
        self.sock.sendall(READ)
        while b"\r\n\r\n" not in data:
            part = self.sock.recv(65536)
            if not part:
                raise ConnectionError("the server closed the bystander's connection")
            data += part
        head, body = data.split(b"\r\n\r\n", 1)
        length = int(next(l for l in head.lower().split(b"\r\n") if l.startswith(b"content-length:")).split(b":")[1])
        while len(body) < length:
            body += self.sock.recv(65536)
        if not head.startswith(b"HTTP/1.1 200"):
            self.failures += 1
        self.times.append((time.monotonic() - start) * 1000)

    def p99(self, is_over):
        self.times = []
        while not is_over():
            self.read()
            time.sleep(0.05)
        return sorted(self.times)[max(0, int(len(self.times) * 0.99) - 1)]


def resident():
    with open(f"/proc/{PID}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def descriptors():
    return len(os.listdir(f"/proc/{PID}/fd"))


def main():
    bystander, lasted, lock = Bystander(), {name: 0.0 for name in ATTACKS}, threading.Lock()
    start = time.monotonic()
    idle = bystander.p99(lambda: time.monotonic() - start > 5)
    before, highest = (resident(), descriptors()), [0, 0]

    def run(name):
        seconds = ATTACKS[name]()
        with lock:
            lasted[name] = max(lasted[name], seconds)

    threads = [threading.Thread(target=run, args=(name,), daemon=True) for name in ATTACKS for _ in range(COUNT)]
    for thread in threads:
        thread.start()

    def is_over():
        highest[0], highest[1] = max(highest[0], resident()), max(highest[1], descriptors())
        return not any(thread.is_alive() for thread in threads)

    attacked = bystander.p99(is_over)
    print(json.dumps({
        "longestSeconds": {name: round(seconds, 1) for name, seconds in lasted.items()},
        "connections": len(threads), "maxDescriptors": highest[1], "descriptorsBefore": before[1],
        "descriptorsAfter": descriptors(), "residentGrowthBytes": max(0, highest[0] - before[0]),
        "bystanderFailures": bystander.failures,
        "idleP99Milliseconds": round(idle, 2), "attackedP99Milliseconds": round(attacked, 2),
    }))


main()
