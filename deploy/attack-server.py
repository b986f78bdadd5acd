#!/usr/bin/env python3
"""Attacks a running server with slow, greedy and broken clients, and prints what a bystander saw, as JSON.

usage: attack-server.py PUBLIC_PORT PID CONTROL_PORT [connections of each attack]

All attacks run at once, from 127.0.0.2, against the real limits, for about 16 s. Nothing is downloaded and no package is
needed. `maxDescriptors` and `residentGrowthBytes` are read from /proc. `attackedP99Milliseconds` is that of a client that
reads the configuration of clients. The same client reads from a second server, which nobody attacks, a moment before or
after: `controlP99Milliseconds` is the idle value under the same load of the machine. `soloP99Milliseconds` is that of
the first server before the attacks. The attacker has the lowest priority, since its processor time is not the server's.
`attackerDelaySeconds` is the time for which its threads waited for the processor: it notices the end of a connection so much
later.
"""
import json
import multiprocessing
import os
import resource
import socket
import struct
import sys
import threading
import time

PORT, PID, CONTROL_PORT = (int(argument) for argument in sys.argv[1:4])
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 40
READ = b"GET /v1/client-config HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = b"GET /v1/openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /v1/devices HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: 0123456789abcdef\r\n"


ATTACKER, BYSTANDER = "127.0.0.2", "127.0.0.9"


def connect(host=ATTACKER, port=PORT, receive_bytes=None):
    sock = socket.socket()
    if receive_bytes:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    sock.bind((host, 0))
    sock.settimeout(30)
    sock.connect(("127.0.0.1", port))
    return sock


class ServerEnds:
    """The clients of the connections that are established at the server, read at most twice a second."""

    def __init__(self):
        self.lock, self.clients, self.read_at = threading.Lock(), set(), 0.0

    def has(self, client):
        with self.lock:
            if time.monotonic() - self.read_at > 0.5:
                with open("/proc/net/tcp") as table:
                    lines = [line.split() for line in table.readlines()[1:]]
                own = ":%04X" % PORT
                # The kernel writes the address in the byte order of the machine. A client at another address may have
                # the same port.
                self.clients = {l[2] for l in lines if l[1].endswith(own) and l[3] == "01"}
                self.read_at = time.monotonic()
            host, port = client
            (address,) = struct.unpack("=I", socket.inet_aton(host))
            return "%08X:%04X" % (address, port) in self.clients


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
                if not ENDS.has(sock.getsockname()):
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


def flood(first, then):
    """Sends without a pause until the server ends the connection; the seconds that it took."""
    def attack():
        sock, start = connect(), time.monotonic()
        try:
            sock.sendall(first)
            while time.monotonic() - start < 40:
                sock.sendall(then)
        except OSError:
            pass
        sock.close()
        return time.monotonic() - start
    return attack


ATTACKS["endlessChunks"] = flood(POST + b"Transfer-Encoding: chunked\r\n\r\n", b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
ATTACKS["endlessFields"] = flood(b"GET /v1/client-config HTTP/1.1\r\nHost: x\r\n", b"a: b\r\n" * 2000)


class Bystander:
    """A client that reads over one connection; `times` are milliseconds."""

    def __init__(self, port):
        self.sock, self.times, self.failures = connect(BYSTANDER, port), [], 0

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


def read_in_turn(bystanders, is_over):
    """Reads from each server in turn about a hundred times a second, and returns the p99 of each."""
    for bystander in bystanders:
        bystander.times = []
    while not is_over():
        for bystander in bystanders:
            bystander.read()
        time.sleep(0.005)
    return [sorted(b.times)[max(0, int(len(b.times) * 0.99) - 1)] for b in bystanders]


def resident():
    with open(f"/proc/{PID}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def descriptors():
    return len(os.listdir(f"/proc/{PID}/fd"))


def attack(results):
    """Runs all attacks in a process of their own, whose threads would delay the bystander."""
    os.nice(19)
    lasted, lock = {name: 0.0 for name in ATTACKS}, threading.Lock()

    def run(name):
        seconds = ATTACKS[name]()
        with lock:
            lasted[name] = max(lasted[name], seconds)

    is_over, delays = threading.Event(), [0.0]

    def tick():
        while not is_over.is_set():
            start = time.monotonic()
            time.sleep(0.05)
            delays[0] += time.monotonic() - start - 0.05

    threads = [threading.Thread(target=run, args=(name,)) for name in ATTACKS for _ in range(COUNT)]
    ticker = threading.Thread(target=tick)
    for thread in [ticker] + threads:
        thread.start()
    for thread in threads:
        thread.join()
    is_over.set()
    ticker.join()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    results.put((lasted, delays[0], usage.ru_utime + usage.ru_stime))


def processor_seconds():
    with open(f"/proc/{PID}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    results = multiprocessing.Queue()
    attacker = multiprocessing.Process(target=attack, args=(results,))
    bystanders, start, highest = [Bystander(PORT), Bystander(CONTROL_PORT)], time.monotonic(), [0, 0]
    solo = read_in_turn(bystanders[:1], lambda: time.monotonic() - start > 2)[0]
    before, used, start = (resident(), descriptors()), processor_seconds(), time.monotonic()
    attacker.start()
    looked_at = 0.0

    def is_over():
        nonlocal looked_at
        if time.monotonic() - looked_at > 0.05:
            highest[0], highest[1] = max(highest[0], resident()), max(highest[1], descriptors())
            looked_at = time.monotonic()
        return not results.empty()

    attacked, control = read_in_turn(bystanders, is_over)
    used, seconds = processor_seconds() - used, time.monotonic() - start
    lasted, delay, attacker_used = results.get()
    attacker.join()
    time.sleep(1)
    print(json.dumps({
        "longestSeconds": {name: round(seconds, 1) for name, seconds in lasted.items()},
        "connections": COUNT * len(ATTACKS), "maxDescriptors": highest[1], "descriptorsBefore": before[1],
        "descriptorsAfter": descriptors(), "residentGrowthBytes": max(0, highest[0] - before[0]),
        "bystanderFailures": sum(bystander.failures for bystander in bystanders),
        "samples": len(bystanders[0].times), "soloP99Milliseconds": round(solo, 2),
        "controlP99Milliseconds": round(control, 2), "attackedP99Milliseconds": round(attacked, 2),
        "serverCores": round(used / seconds, 2), "attackerCores": round(attacker_used / seconds, 2),
        "attackerDelaySeconds": round(delay, 1),
    }))


main()
