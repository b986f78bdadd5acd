#!/usr/bin/python3
"""Runs two databases with Patroni, two nodes, a feed and APNs on 127.0.0.1, kills leaders, and reports what stood still.

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

HERE = pathlib.Path(__file__).resolve().parent
HOST = "127.0.0.1"
CLOCK_SPEED = 100
PHONES = 20


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
    """Two nodes of the server with a feed, APNs and phones, and what is seen of them from outside."""

    def __init__(self, folder, processes, programs, database):
        self.processes, self.database = processes, database
        feed, push, manage, self.control, *own = free_ports(8)
        self.public, self.internal = own[:2], own[2:]
        self.stopped = threading.Event()
        self.acknowledged = []
        self.last_revision = 0
        self.went_back = 0
        self.progress = {name: Progress(name) for name in ("registrations", "balls", "pushes")}
        processes.start(
            "apns",
            [programs / "score-lab", "simulate-apns", "--folder", folder / "apns", "--port", push]
            + ["--management-port", manage, "--control-port", self.control],
        )
        processes.start(
            "feed",
            [programs / "score-lab", "simulate-feed", "--provider", "sportmonks", "--speed", CLOCK_SPEED]
            + ["--key", "sesame", "--port", feed],
        )
        wait_for("APNs", 30, lambda: self.statistics() is not None)
        for index in (0, 1):
            settings = {
                "SIMULATION_ALLOWED": "true",
                "CLOCK_SPEED": CLOCK_SPEED,
                "DATABASE_URL": database.url("score", "score"),
                "NODE_ID": f"node-{index + 1}",
                "HTTP_PUBLIC_PORT": self.public[index],
                "HTTP_INTERNAL_PORT": self.internal[index],
                "FEED_PROVIDER": "sportmonks",
                "FEED_URL": f"http://{HOST}:{feed}",
                "FEED_KEY": "sesame",
                "FEED_PLAIN_HTTP_HOSTS": HOST,
                "APNS_PUSH_HOST": HOST,
                "APNS_PUSH_PORT": push,
                "APNS_MANAGE_HOST": HOST,
                "APNS_MANAGE_PORT": manage,
                "APNS_CA_FILE": folder / "apns/authority.pem",
                "APNS_KEY_FILE": folder / "apns/key.p8",
                "APNS_KEY_ID": "KEYKEYKEY1",
                "APNS_TEAM_ID": "TEAMTEAM01",
                "APNS_BUNDLE_ID": "com.example.app",
                **{f"LIMITS_{name}": "1000000/1s" for name in ("REGISTER", "REGISTER_DAILY", "REGISTER_ATTEMPT")},
                **{f"LIMITS_{name}": "1000000/1s" for name in ("REGISTER_ALL", "READ_ADDRESS", "READ")},
            }
            text = {name: str(value) for name, value in settings.items()}
            processes.start(f"node-{index + 1}", [programs / "score-server", "serve"], text)
            ready = f"http://{HOST}:{self.internal[index]}/readyz"
            wait_for(f"node {index + 1}", 60, lambda: call("GET", ready)[0] == 200)

    def statistics(self):
        return json.loads(call("GET", f"http://{HOST}:{self.control}/statistics")[1])

    def register(self, index):
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
        status, text = call("POST", f"http://{HOST}:{self.public[index]}/v1/devices", body, headers)
        return json.loads(text) if status == 201 else None

    def add_phones(self):
        """Phones with an activity of the match, each with a token."""
        match = wait_for("match", 60, lambda: self.match())
        for number in range(PHONES):
            device = self.register(number % 2)
            own = {"Authorization": f"Bearer {device['credential']}"}
            address = f"http://{HOST}:{self.public[number % 2]}/v1/devices/me"
            follow = call("PUT", f"{address}/follows/{match}", {"clientSeq": 1}, own)
            report = {
                "matchId": match,
                "token": uuid.uuid4().hex * 2,
                "apnsEnvironment": "sandbox",
                "startedAtMs": int(time.time() * 1000),
                "clientSeq": 2,
            }
            activity = call("PUT", f"{address}/activities/{uuid.uuid4()}", report, own)
            if follow[0] != 201 or activity[0] != 201:
                raise SystemExit(f"A phone was refused: {follow} {activity}")

    def match(self):
        listed = json.loads(call("GET", f"http://{HOST}:{self.public[0]}/v1/matches")[1])
        return next((item["id"] for item in listed.get("items", listed.get("matches", []))), None)

    def watch(self):
        """Starts to register devices at both nodes, and to look at the match and at APNs."""
        match = self.match()

        def repeat(work, pause):
            while not self.stopped.is_set():
                with contextlib.suppress(OSError, ValueError, KeyError):
                    work()
                time.sleep(pause)

        def registrations(index):
            try:
                device = self.register(index)
            except OSError:
                device = None
            if device:
                self.acknowledged.append(device["deviceId"])
                self.progress["registrations"].succeeded()
            else:
                self.progress["registrations"].failures += 1

        def balls():
            snapshot = json.loads(call("GET", f"http://{HOST}:{self.public[0]}/v1/matches/{match}")[1])
            if snapshot["rev"] > self.last_revision:
                self.progress["balls"].succeeded()
            elif snapshot["rev"] < self.last_revision:
                self.went_back += 1
            self.last_revision = max(self.last_revision, snapshot["rev"])

        accepted = [self.statistics()["accepted"]]

        def pushes():
            now = self.statistics()["accepted"]
            if now > accepted[0]:
                self.progress["pushes"].succeeded()
            accepted[0] = now

        work = [(lambda: registrations(0), 0.02), (lambda: registrations(1), 0.02), (balls, 0.1), (pushes, 0.1)]
        self.watchers = [threading.Thread(target=repeat, args=each) for each in work]
        for each in self.watchers:
            each.start()

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
        rows, begin = [], time.monotonic()
        time.sleep(calm)
        rows.append(("no fault", begin, time.monotonic()))
        for name, fault in (("switchover", databases.switch_over), ("kill -9 of the leader", databases.kill_leader)):
            before, begin = databases.leader(), time.monotonic()
            fault()
            wait_for("new leader", 60, lambda: databases.leader() not in (None, before))
            time.sleep(calm)
            rows.append((name, begin, time.monotonic()))
            if before not in processes.running:
                databases.start(before)
            wait_for("replica", 90, lambda: databases.replica())
        nodes.stop_watching()
        return report(nodes, rows)
    finally:
        if nodes:
            nodes.stop_watching()
        processes.stop_all()


def report(nodes, rows):
    """Prints the longest time without a success for each event; the exit status is 1 when something was lost."""
    print(f"{'longest gap in seconds':30}" + "".join(f"{name:>16}" for name in nodes.progress))
    for name, begin, end in rows:
        gaps = "".join(f"{each.longest_gap(begin, end):16.1f}" for each in nodes.progress.values())
        print(f"{name:30}{gaps}")
    lost = nodes.lost()
    print(f"acknowledged registrations: {len(nodes.acknowledged)}, lost: {lost}")
    print(f"refused or failed registrations: {nodes.progress['registrations'].failures}")
    print(f"revision of the match: {nodes.last_revision}, seen going back: {nodes.went_back}")
    return 1 if lost or nodes.went_back else 0


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
