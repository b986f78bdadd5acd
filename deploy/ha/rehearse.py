#!/usr/bin/python3
"""Runs two databases with Patroni, two nodes, a feed, APNs and phones on 127.0.0.1 while a match is played.

A leader hands over, a leader is killed, a node is added and one is removed. The report has what stood still, and
whether a phone missed a state or showed an older one.

Every process belongs to this run and has a temporary folder. As root it changes to the user postgres."""

import argparse
import contextlib
import json
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid

import psycopg2
import yaml

from phones import Activities, Stream

HERE = pathlib.Path(__file__).resolve().parent
HOST = "127.0.0.1"
# A match of three and a half hours takes five minutes.
CLOCK_SPEED = 40
PHONES = 200
STREAMS = 6


def free_ports(count):
    """Ports that no program uses now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]


def call(method, url, body=None, headers=None, timeout=2):
    """Status and body of a request; an exception without an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    if data:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def wait_for(what, seconds, condition):
    """Waits until a condition returns something; the run fails after the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError, KeyError, psycopg2.Error):
            result = condition()
            if result:
                return result
        time.sleep(0.2)
    raise SystemExit(f"No {what} within {seconds} s")


class Processes:
    """The processes of the run, which end with it."""

    def __init__(self, folder):
        self.folder = folder
        self.running = {}

    def start(self, name, command, environment=None):
        """Starts a process with its output in a file of the folder."""
        log = open(self.folder / f"{name}.log", "ab")
        self.running[name] = subprocess.Popen(
            [str(part) for part in command],
            stdout=log,
            stderr=log,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **(environment or {})},
            cwd=self.folder,
            start_new_session=True,
        )

    def kill(self, name):
        """Ends a process at once, without a chance to clean up."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def end(self, name, seconds):
        """Ends a process in an orderly way; its exit status and the time that it took."""
        process, begin = self.running.pop(name), time.monotonic()
        process.send_signal(signal.SIGTERM)
        return process.wait(seconds), time.monotonic() - begin

    def stop_all(self):
        """Ends everything in the reverse order of its start."""
        for process in reversed(self.running.values()):
            process.send_signal(signal.SIGTERM)
        for process in self.running.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


class Progress:
    """The times at which something succeeded."""

    def __init__(self, name):
        self.name = name
        self.times = [time.monotonic()]
        self.failures = 0

    def succeeded(self):
        self.times.append(time.monotonic())

    def longest_gap(self, begin, end):
        """The longest time without a success that overlaps a period."""
        times = [t for t in self.times if t <= end] + [min(end, time.monotonic())]
        return max((b - a for a, b in zip(times, times[1:]) if b >= begin), default=end - begin)


class Databases:
    """etcd and two database nodes under Patroni, from deploy/ha/patroni.yml."""

    def __init__(self, folder, processes):
        self.folder, self.processes = folder, processes
        client, peer, *rest = free_ports(6)
        self.etcd = f"{HOST}:{client}"
        peers = f"http://{HOST}:{peer}"
        self.ports = {"db-1": rest[0:2], "db-2": rest[2:4]}
        urls = f"http://{self.etcd}"
        processes.start(
            "etcd",
            ["etcd", "--name", "one", "--data-dir", folder / "etcd", "--listen-client-urls", urls]
            + ["--advertise-client-urls", urls, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers]
            + ["--initial-cluster", f"one={peers}"],
        )
        wait_for("etcd", 20, lambda: call("GET", urls + "/health")[0] == 200)
        for name in self.ports:
            self.write_settings(name)
            self.start(name)
            wait_for(f"database {name}", 90, lambda: self.states().get(name) in ("running", "streaming"))
        wait_for("synchronous replica", 60, lambda: self.replica())

    def write_settings(self, name):
        """The shipped configuration with the addresses and folders of this run."""
        settings = yaml.safe_load((HERE / "patroni.yml").read_text())
        database, rest = (f"{HOST}:{port}" for port in self.ports[name])
        settings["name"] = name
        settings["restapi"] = {"listen": rest, "connect_address": rest}
        settings["etcd3"] = {"hosts": [self.etcd]}
        own = settings["postgresql"]
        own.update(listen=database, connect_address=database, data_dir=str(self.folder / name))
        own["pg_hba"] = [line.replace("10.0.0.0/24", f"{HOST}/32").replace("peer", "trust") for line in own["pg_hba"]]
        own["pgpass"] = str(self.folder / f"{name}.pgpass")
        own["parameters"] = {"unix_socket_directories": str(self.folder)}
        (self.folder / f"{name}.yml").write_text(yaml.safe_dump(settings))

    def start(self, name):
        self.processes.start(name, ["patroni", self.folder / f"{name}.yml"])

    def members(self):
        """The members as the first answering Patroni sees them."""
        for _, rest in self.ports.values():
            with contextlib.suppress(OSError):
                return json.loads(call("GET", f"http://{HOST}:{rest}/cluster")[1])["members"]
        return []

    def states(self):
        return {member["name"]: member["state"] for member in self.members()}

    def leader(self):
        return next((member["name"] for member in self.members() if member["role"] == "leader"), None)

    def replica(self):
        return next((member["name"] for member in self.members() if member["role"] == "sync_standby"), None)

    def url(self, user, name):
        hosts = ",".join(f"{HOST}:{port}" for port, _ in self.ports.values())
        return f"postgresql://{user}:{user}@{hosts}/{name}?target_session_attrs=read-write&connect_timeout=3"

    def switch_over(self):
        """The leader hands over to the replica in an orderly way."""
        leader = self.leader()
        rest = self.ports[leader][1]
        status, text = call("POST", f"http://{HOST}:{rest}/switchover", {"leader": leader}, timeout=60)
        if status != 200:
            raise SystemExit(f"No switchover: {status} {text.decode()}")

    def kill_leader(self):
        """Patroni and PostgreSQL of the leader end at once, as with their machine; returns its name."""
        leader = self.leader()
        postmaster = int((self.folder / leader / "postmaster.pid").read_text().splitlines()[0])
        self.processes.kill(leader)
        os.kill(postmaster, signal.SIGKILL)
        return leader


class Nodes:
    """The nodes of the server with a feed, APNs and phones, and what is seen of them from outside."""

    def __init__(self, folder, processes, programs, database):
        self.folder, self.processes, self.programs, self.database = folder, processes, programs, database
        self.feed, self.push, self.manage, self.control = free_ports(4)
        # The ports of each running node, by its name.
        self.public, self.internal = {}, {}
        # The nodes to which a balancer would send requests now.
        self.ready = []
        self.turn = 0
        self.stopped = threading.Event()
        self.acknowledged = []
        self.revisions = {}
        self.went_back = 0
        self.progress = {name: Progress(name) for name in ("registrations", "balls", "pushes")}
        self.activities = Activities(self.card)
        self.streams = []
        processes.start(
            "apns",
            [programs / "score-lab", "simulate-apns", "--folder", folder / "apns", "--port", self.push]
            + ["--management-port", self.manage, "--control-port", self.control]
            # Its minutes are real ones, and the matches are faster.
            + ["--pushes-per-minute", 0],
        )
        processes.start(
            "feed",
            [programs / "score-lab", "simulate-feed", "--provider", "sportmonks", "--speed", CLOCK_SPEED]
            + ["--key", "sesame", "--port", self.feed],
        )
        wait_for("APNs", 30, lambda: self.statistics() is not None)
        for name in ("node-1", "node-2"):
            self.add_node(name)

    def add_node(self, name):
        """Starts a node, and returns when it is ready."""
        self.public[name], self.internal[name] = free_ports(2)
        settings = {
            "SIMULATION_ALLOWED": "true",
            "CLOCK_SPEED": CLOCK_SPEED,
            "DATABASE_URL": self.database.url("score", "score"),
            "NODE_ID": name,
            "HTTP_PUBLIC_PORT": self.public[name],
            "HTTP_INTERNAL_PORT": self.internal[name],
            "FEED_PROVIDER": "sportmonks",
            "FEED_URL": f"http://{HOST}:{self.feed}",
            "FEED_KEY": "sesame",
            "FEED_PLAIN_HTTP_HOSTS": HOST,
            "APNS_PUSH_HOST": HOST,
            "APNS_PUSH_PORT": self.push,
            "APNS_MANAGE_HOST": HOST,
            "APNS_MANAGE_PORT": self.manage,
            "APNS_CA_FILE": self.folder / "apns/authority.pem",
            "APNS_KEY_FILE": self.folder / "apns/key.p8",
            "APNS_KEY_ID": "KEYKEYKEY1",
            "APNS_TEAM_ID": "TEAMTEAM01",
            "APNS_BUNDLE_ID": "com.example.app",
            **{f"LIMITS_{limit}": "1000000/1s" for limit in ("REGISTER", "REGISTER_DAILY", "REGISTER_ATTEMPT")},
            **{f"LIMITS_{limit}": "1000000/1s" for limit in ("REGISTER_ALL", "READ_ADDRESS", "READ")},
        }
        text = {key: str(value) for key, value in settings.items()}
        self.processes.start(name, [self.programs / "score-server", "serve"], text)
        wait_for(f"node {name}", 60, lambda: self.is_ready(name))
        self.ready = [*self.ready, name]

    def remove_node(self, name):
        """Ends a node as systemd does; the run fails when it does not end by itself."""
        status, seconds = self.processes.end(name, 60)
        self.public.pop(name)
        self.internal.pop(name)
        print(f"{name} ended with status {status} after {seconds:.1f} s", flush=True)
        if status != 0:
            raise SystemExit(f"{name} ended with status {status}")

    def is_ready(self, name):
        with contextlib.suppress(OSError):
            return call("GET", f"http://{HOST}:{self.internal[name]}/readyz")[0] == 200
        return False

    def balance(self):
        """Looks which nodes are ready, as a balancer does."""
        self.ready = [name for name in list(self.internal) if self.is_ready(name)] or self.ready

    def address(self):
        """The public address of the next ready node."""
        ready = [name for name in self.ready if name in self.public]
        self.turn += 1
        return f"http://{HOST}:{self.public[ready[self.turn % len(ready)]]}"

    def card(self, path):
        """What the simulated APNs answers about a phone."""
        status, text = call("GET", f"http://{HOST}:{self.control}{path}")
        return json.loads(text) if status == 200 else None

    def statistics(self):
        return json.loads(call("GET", f"http://{HOST}:{self.control}/statistics")[1])

    def register(self, timeout=2):
        """Registers a device; its id and credential, or None."""
        body = {
            "platform": "iOS",
            "bundleId": "com.example.app",
            "appBuild": "1",
            "osVersion": "17.5",
            "apnsEnvironment": "sandbox",
            "frequentPushesEnabled": True,
        }
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        status, text = call("POST", f"{self.address()}/v1/devices", body, headers, timeout)
        return json.loads(text) if status == 201 else None

    def add_phones(self):
        """Phones with an activity of the match, each with a token."""
        match = wait_for("match", 60, lambda: self.match())
        for _ in range(PHONES):
            device = self.register(timeout=20)
            own = {"Authorization": f"Bearer {device['credential']}"}
            address = f"{self.address()}/v1/devices/me"
            follow = call("PUT", f"{address}/follows/{match}", {"clientSeq": 1}, own, timeout=20)
            token = uuid.uuid4().hex * 2
            report = {
                "matchId": match,
                "token": token,
                "apnsEnvironment": "sandbox",
                "startedAtMs": int(time.time() * 1000),
                "clientSeq": 2,
            }
            activity = call("PUT", f"{address}/activities/{uuid.uuid4()}", report, own, timeout=20)
            if follow[0] != 201 or activity[0] != 201:
                raise SystemExit(f"A phone was refused: {follow} {activity}")
            self.activities.add(token)

    def match(self):
        listed = json.loads(call("GET", f"{self.address()}/v1/matches")[1])
        return next((item["id"] for item in listed.get("items", listed.get("matches", []))), None)

    def look(self, match):
        """The revision of the match at the next ready node."""
        address = self.address()
        revision = json.loads(call("GET", f"{address}/v1/matches/{match}")[1])["rev"]
        newest = max(self.revisions.values(), default=0)
        # Each node by itself: a node may be a moment behind the other one.
        self.went_back += revision < self.revisions.get(address, 0)
        self.revisions[address] = max(revision, self.revisions.get(address, 0))
        return revision > newest

    def watch(self):
        """Starts to register devices, and to look at the match and at APNs."""
        match = self.match()

        def repeat(work, pause):
            while not self.stopped.is_set():
                with contextlib.suppress(OSError, ValueError, KeyError, ZeroDivisionError):
                    work()
                time.sleep(pause)

        def registrations():
            try:
                device = self.register()
            except OSError:
                device = None
            if device:
                self.acknowledged.append(device["deviceId"])
                self.progress["registrations"].succeeded()
            else:
                self.progress["registrations"].failures += 1

        def balls():
            if self.look(match):
                self.progress["balls"].succeeded()

        accepted = [self.statistics()["accepted"]]

        def pushes():
            now = self.statistics()["accepted"]
            if now > accepted[0]:
                self.progress["pushes"].succeeded()
            accepted[0] = now

        work = [(registrations, 0.02), (registrations, 0.02), (balls, 0.1), (pushes, 0.1), (self.balance, 0.5)]
        self.watchers = [threading.Thread(target=repeat, args=each) for each in work]
        self.streams = [Stream(match, self.address, self.stopped) for _ in range(STREAMS)]
        for each in self.watchers + self.streams:
            each.start()

    def settle(self):
        """Ends the balls; returns the newest revision, and how many phones do not show it within a minute."""
        match = self.match()
        self.processes.kill("feed")

        def newest():
            reads = [f"http://{HOST}:{port}/v1/matches/{match}" for port in self.public.values()]
            return max(json.loads(call("GET", url)[1])["rev"] for url in reads)

        end = time.monotonic() + 60
        while True:
            revision = newest()
            activities = self.activities.behind(revision)
            streams = sum(stream.revision < revision for stream in self.streams)
            if activities + streams == 0 or time.monotonic() > end:
                return revision, activities, streams
            time.sleep(0.5)

    def stop_watching(self):
        self.stopped.set()
        for each in getattr(self, "watchers", []):
            each.join()

    def lost(self):
        """Acknowledged registrations that the database does not have."""
        with contextlib.closing(psycopg2.connect(self.database.url("score", "score"))) as connection:
            with connection.cursor() as cursor:
                cursor.execute("select device_id::text from device")
                stored = {row[0] for row in cursor.fetchall()}
        return sum(device.lower() not in stored for device in self.acknowledged)


def rehearse(folder, programs, calm):
    processes = Processes(folder)
    nodes = None
    try:
        databases = Databases(folder, processes)
        with contextlib.closing(psycopg2.connect(databases.url("postgres", "postgres"))) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute("create role score login createrole password 'score'")
                cursor.execute("create database score owner score")
        print(f"databases: leader {databases.leader()}, synchronous replica {databases.replica()}", flush=True)
        nodes = Nodes(folder, processes, programs, databases)
        nodes.add_phones()
        wait_for("first push", 120, lambda: nodes.statistics()["accepted"] > 0)
        nodes.watch()
        time.sleep(2)
        rows = []

        def observe(name, event):
            begin = time.monotonic()
            event()
            time.sleep(calm)
            rows.append((name, begin, time.monotonic()))

        def change_leader(fault):
            before = databases.leader()
            fault()
            wait_for("new leader", 60, lambda: databases.leader() not in (None, before))
            return before

        def repair(before):
            if before not in processes.running:
                databases.start(before)
            wait_for("replica", 90, lambda: databases.replica())

        observe("none", lambda: None)
        observe("a third node is added", lambda: nodes.add_node("node-3"))
        for name, fault in (("switchover", databases.switch_over), ("kill -9 of the leader", databases.kill_leader)):
            before = databases.leader()
            observe(name, lambda: change_leader(fault))
            repair(before)
        # The first node leads: it polls the feed.
        observe("the first node is removed", lambda: nodes.remove_node("node-1"))
        settled = nodes.settle()
        nodes.stop_watching()
        return report(nodes, rows, settled)
    finally:
        if nodes:
            nodes.stop_watching()
        processes.stop_all()


def report(nodes, rows, settled):
    """Prints the longest time without a success for each event; the exit status is 1 when something was lost."""
    print(f"{'longest gap in seconds':30}" + "".join(f"{name:>16}" for name in nodes.progress))
    for name, begin, end in rows:
        gaps = "".join(f"{each.longest_gap(begin, end):16.1f}" for each in nodes.progress.values())
        print(f"{name:30}{gaps}")
    lost = nodes.lost()
    print(f"acknowledged registrations: {len(nodes.acknowledged)}, lost: {lost}")
    print(f"refused or failed registrations: {nodes.progress['registrations'].failures}")
    revision, late_activities, late_streams = settled
    print(f"revision of the match: {revision}, seen going back at one node: {nodes.went_back}")
    phones, streams = nodes.activities, nodes.streams
    backward = phones.went_back()
    print(
        f"activities: {len(phones.tokens)}, without the newest state: {late_activities}, shown going back: {backward}"
    )
    missed, back, resets = (sum(getattr(each, name) for each in streams) for name in ("missed", "went_back", "resets"))
    print(
        f"streams: {len(streams)}, opened: {sum(each.opened for each in streams)}, without the newest state:"
        f" {late_streams}, missed revisions: {missed}, shown going back: {back}, resets: {resets}"
    )
    return 1 if any((lost, nodes.went_back, late_activities, late_streams, backward, missed, back, resets)) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="the folder of score-server and score-lab")
    parser.add_argument("--calm", type=int, default=20, help="seconds of observation after each fault")
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    options = parser.parse_args()
    if os.getuid() == 0:
        account = pwd.getpwnam("postgres")
        os.setgroups([])
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="score-ha-"))
    print(f"logs: {folder}", flush=True)
    status = rehearse(folder, options.programs.resolve(), options.calm)
    if not options.keep and status == 0:
        subprocess.run(["rm", "-r", "--", folder], check=True)
    sys.exit(status)


main()
