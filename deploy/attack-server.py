#!/usr/bin/env python3
"""Attacks a running server with slow, greedy and broken clients, and prints what a bystander saw, as JSON.

usage: attack-server.py PUBLIC_PORT PID [connections of each attack]

All attacks run at once, from 127.0.0.1, against the real limits, for about 20 s. Nothing is downloaded and no package is
needed. `maxDescriptors` and `residentGrowthBytes` are read from /proc, `idleP99Milliseconds` and
`attackedP99Milliseconds` are those of one client that reads the configuration of clients over one connection.
"""
import json
import multiprocessing
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


class ServerEnds:
    """The client ports of the connections that are established at the server, read at most twice a second."""

    def __init__(self):
        self.lock, self.ports, self.read_at = threading.Lock(), set(), 0.0

    def has(self, port):
        with self.lock:
            if time.monotonic() - self.read_at > 0.5:
                with open("/proc/net/tcp") as table:
                    lines = [line.split() for line in table.readlines()[1:]]
                own = ":%04X" % PORT
                self.ports = {int(l[2][-4:], 16) for l in lines if l[1].endswith(own) and l[3] == "01"}
                self.read_at = time.monotonic()
            return port in self.ports


ENDS = ServerEnds()


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
                # A client that does not read cannot know it otherwise.
                if not ENDS.has(sock.getsockname()[1]):
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


def attack(results):
    """Runs all attacks in a process of their own, whose threads would delay the bystander."""
    lasted, lock = {name: 0.0 for name in ATTACKS}, threading.Lock()

    def run(name):
        seconds = ATTACKS[name]()
        with lock:
            lasted[name] = max(lasted[name], seconds)

    threads = [threading.Thread(target=run, args=(name,)) for name in ATTACKS for _ in range(COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(lasted)


def main():
    results = multiprocessing.Queue()
    attacker = multiprocessing.Process(target=attack, args=(results,))
    bystander, start, highest = Bystander(), time.monotonic(), [0, 0]
    idle = bystander.p99(lambda: time.monotonic() - start > 5)
    before = (resident(), descriptors())
    attacker.start()

    def is_over():
        highest[0], highest[1] = max(highest[0], resident()), max(highest[1], descriptors())
        return not results.empty()

    attacked = bystander.p99(is_over)
    lasted = results.get()
    attacker.join()
    time.sleep(1)
    print(json.dumps({
        "longestSeconds": {name: round(seconds, 1) for name, seconds in lasted.items()},
        "connections": COUNT * len(ATTACKS), "maxDescriptors": highest[1], "descriptorsBefore": before[1],
        "descriptorsAfter": descriptors(), "residentGrowthBytes": max(0, highest[0] - before[0]),
        "bystanderFailures": bystander.failures,
        "idleP99Milliseconds": round(idle, 2), "attackedP99Milliseconds": round(attacked, 2),
    }))


main()
