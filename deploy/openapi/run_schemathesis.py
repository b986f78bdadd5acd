#!/usr/bin/env python3
"""Starts score-server with its own PostgreSQL and the two simulators, and runs schemathesis against both listeners.

Each round has a seed, which is printed; the same seed sends the same requests.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# All quotas of the server: one that answers 429 to a client which sends without a pause hides findings.
LIMITS = [
    "READ", "READ_ADDRESS", "WRITE", "TOKENS", "ACTIVITIES", "TELEMETRY", "NOTICE", "REGISTER", "REGISTER_DAILY",
    "REGISTER_ATTEMPT", "REGISTER_ALL", "STREAM_OPEN", "STREAM_OPEN_ADDRESS", "STREAM_OPEN_ALL", "DEVICE_LOGIN",
    "NOTICE_LOGIN", "ADMIN_LOGIN",
]
SPEED = "20"
MATCHES = ["ipl-final", "odi-2", "test-day"]


class Run:
    """The processes of one run and their folder."""

    def __init__(self, programs):
        self.programs = pathlib.Path(programs).resolve()
        # PostgreSQL runs as its own user, which needs a folder that it can reach.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="score-schemathesis-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        self.processes = []

    def start(self, name, program, arguments, environment=None):
        log = open(self.folder / f"{name}.log", "wb")
        variables = {"PATH": os.environ["PATH"], **(environment or {})}
        process = subprocess.Popen(
            [self.programs / program, *arguments], stdout=log, stderr=subprocess.STDOUT, env=variables
        )
        self.processes.append(process)
        return process

    def line(self, name, word):
        """The first line of a log that has a word."""
        path = self.folder / f"{name}.log"
        for line in self.wait(lambda: [line for line in path.read_text().splitlines() if word in line], name):
            return line

    def wait(self, condition, name, seconds=120):
        """Waits for a value that is true."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = condition()
            if value:
                return value
            if any(process.poll() is not None for process in self.processes):
                break
            time.sleep(0.1)
        log = (self.folder / f"{name}.log").read_text()[-2000:]
        raise SystemExit(f"{name} did not start:\n{log}")

    def stop(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []


def settings(run):
    """Starts the simulators; returns the settings of a server that uses them."""
    recorded = run.folder / "matches"
    recorded.mkdir()
    for match in MATCHES:
        shutil.copy(ROOT / "docs/demo_match.json", recorded / f"{match}.json")
    feed = ["simulate-feed", "--provider", "roanuz", "--match", recorded, "--port", "0", "--speed", SPEED]
    run.start("feed", "score-lab", feed)
    run.start(
        "apns", "score-lab",
        ["simulate-apns", "--folder", run.folder / "apns", "--port", "0", "--management-port", "0",
         "--control-port", "0", "--pushes-per-minute", "0"],
    )
    pushes = run.line("apns", "apns: ").replace(",", "").split()
    push, manage = [word.rsplit(":", 1)[1] for word in pushes if word.startswith("https://")]
    environment = {
        "NODE_ID": "schemathesis", "DATA_DIR": str(run.folder / "data"), "LOG_FORMAT": "text",
        "SIMULATION_ALLOWED": "true", "CLOCK_SPEED": SPEED,
        "FEED_PROVIDER": "roanuz", "FEED_URL": run.line("feed", "feed: ").split(" at ")[1].split(",")[0],
        "FEED_KEY": "any", "FEED_PROJECT": "demo", "FEED_PLAIN_HTTP_HOSTS": "127.0.0.1",
        "FEED_NOTICE_SECRET": "schemathesis",
        "APNS_PUSH_HOST": "127.0.0.1", "APNS_PUSH_PORT": push, "APNS_MANAGE_HOST": "127.0.0.1",
        "APNS_MANAGE_PORT": manage, "APNS_CA_FILE": str(run.folder / "apns/authority.pem"),
        "APNS_KEY_FILE": str(run.folder / "apns/key.p8"), "APNS_KEY_ID": "KEYKEYKEY1",
        "APNS_TEAM_ID": "TEAMTEAM01", "APNS_BUNDLE_ID": "com.example.app",
        "LIMITS_STREAMS_ADDRESS": "10000", "LIMITS_STREAMS_DEVICE": "100",
    }
    environment.update({f"LIMITS_{name}": "1000000/1s" for name in LIMITS})
    return environment


def read(url):
    """The JSON of a URL; nothing when it is not answered with 200."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)
    except (OSError, ValueError):
        return None


def free_port():
    """A port of 127.0.0.1 that is free now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def schemathesis(name, base, seed, seconds, paths, environment, log):
    command = [
        str(pathlib.Path(sys.executable).parent / "schemathesis"), "--config-file", str(HERE / "schemathesis.toml"),
        "run", f"{environment['SCORE_PUBLIC']}/v1/openapi.yaml", "--url", base, "--seed", str(seed),
        "--max-time", str(seconds), "--include-path-regex", paths, "--report", "ndjson", "--report-ndjson-path",
        str(log / f"{name}-{seed}.ndjson"),
    ]
    print(f"{name}: seed {seed}, {seconds} s", flush=True)
    return subprocess.run(command, env=environment, cwd=HERE).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", help="the folder of score-server and score-lab")
    parser.add_argument("--seconds", type=int, default=120, help="time of the whole run, 60 or more")
    parser.add_argument("--seed", type=int, action="append", help="a seed; may be repeated; without it three are drawn")
    options = parser.parse_args()
    seeds = options.seed or [random.SystemRandom().randrange(1 << 32) for _ in range(3)]
    run = Run(options.programs)
    failed = False
    try:
        variables = settings(run)
        public, internal = free_port(), free_port()
        variables.update({"HTTP_PUBLIC_PORT": str(public), "HTTP_INTERNAL_PORT": str(internal)})
        run.start("server", "score-server", ["serve", "--env", "none"], variables)
        base = f"http://127.0.0.1:{public}"
        run.wait(lambda: read(f"http://127.0.0.1:{internal}/readyz"), "server")
        run.wait(lambda: len((read(f"{base}/v1/matches?status=live") or {}).get("items", [])) == len(MATCHES), "server")
        token = subprocess.run(
            [run.programs / "score-server", "admin", "tokens", "create", "--env", "none", "--name", "schemathesis",
             "--role", "admin"],
            env={"PATH": os.environ["PATH"], **variables}, capture_output=True, text=True, check=True,
        ).stdout.split()
        environment = {
            **os.environ, "SCORE_PUBLIC": base, "SCORE_FEED_SECRET": "schemathesis",
            "SCORE_ADMIN_TOKEN": next(word for word in token if word.startswith("ssa1.")),
        }
        share = max(10, options.seconds // (len(seeds) * 2))
        for seed in seeds:
            rounds = [("public", base, "^/v1/"), ("internal", f"http://127.0.0.1:{internal}", "^/(?!v1/)")]
            for name, url, paths in rounds:
                code = schemathesis(name, url, seed, share, paths, environment, run.folder)
                failed = failed or code != 0
        if any(process.poll() is not None for process in run.processes):
            print("a process ended during the run")
            failed = True
    finally:
        run.stop()
    if failed:
        print(f"logs and requests: {run.folder}")
    else:
        shutil.rmtree(run.folder)
    print("failed" if failed else "no failure", "with the seeds", *seeds)
    sys.exit(failed)


if __name__ == "__main__":
    main()
