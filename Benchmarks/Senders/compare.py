"""Compares senders of push notifications on a calm day and on bad days of the APNs simulator.

Each sender sends one push to each of 3,000 tokens. Counted is what the simulator accepted, not what a sender reports:

  accepted       tokens with an accepted push, without those that are dead on that day (410)
  lost           other tokens without one
  silent         accepted tokens whose only pushes list the notification without an alert
  twice          tokens with more than one accepted push
  alerted twice  tokens with more than one accepted push that alerts
  seconds        from the first request to the last accepted push

A Live Activity is updated without an alert here, so its sender has no silent and no alerted tokens.
"""

import argparse
import http.client
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import days
import message

HERE = os.path.dirname(os.path.abspath(__file__))
TOKENS = 3000
TOKEN_BYTES = 32
# A sender that runs although no push was accepted for this time is stopped. score-server's notifications rest longest:
# 55 s on day 1, after refusals of a provider token that is too young to be replaced.
IDLE_SECONDS = 75
# A sender that has not ended by then is stopped, too.
LONGEST_SECONDS = 240
TOPIC, TEAM, KEY = "com.example.app", "TEAMTEAM01", "KEYKEYKEY1"


class Simulator:
    """A fresh simulator that follows the script of a day."""

    def __init__(self, score_lab, folder, day):
        self.folder = folder
        self.process = subprocess.Popen(
            [score_lab, "simulate-apns", "--port", "0", "--management-port", "0", "--control-port", "0",
             "--folder", folder],
            stdout=subprocess.PIPE, text=True,
        )
        lines = [self.process.stdout.readline() for _ in range(2)]
        self.port = int(re.search(r"https://127\.0\.0\.1:(\d+)", lines[0]).group(1))
        self.control = int(re.search(r"http://127\.0\.0\.1:(\d+)", lines[1]).group(1))
        self.request("PUT", "/script", json.dumps(day))

    def request(self, method, path, body=None, connection=None):
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.control, timeout=30)
        connection.request(method, path, body)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 404:
            return None
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None

    def phones(self, tokens):
        """Accepted pushes, and those of them that alert, by token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.control, timeout=30)
        phones = (self.request("GET", f"/phones/{token}", connection=connection) for token in tokens)
        return [(phone["pushes"], phone["alerts"]) if phone else (0, 0) for phone in phones]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Sender:
    """A program that sends; `command` makes its arguments, `absence` says why it cannot run."""

    def __init__(self, name, version, command, absence=None, alerts=True):
        self.name, self.version, self.command, self.absence, self.alerts = name, version, command, absence, alerts


def output(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def provider_token(python, key):
    code = (
        "import jwt,sys,time;"
        "print(jwt.encode({'iss':sys.argv[2],'iat':int(time.time())},open(sys.argv[1]).read(),"
        "algorithm='ES256',headers={'kid':sys.argv[3]}))"
    )
    return output(python, "-c", code, key, TEAM, KEY).strip()


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def headers(options, simulator):
    return {
        "authorization": "bearer " + provider_token(options.aioapns, simulator.folder + "/key.p8"),
        "apns-topic": TOPIC, "apns-push-type": "alert", "apns-priority": "10",
    }


def urls(simulator, tokens):
    return [f"https://127.0.0.1:{simulator.port}/3/device/{token}" for token in tokens]


def body(folder):
    text = json.dumps({"aps": {"alert": {"title": message.TITLE, "body": message.BODY}}})
    return write(folder, "body.json", text)


def curl(options, simulator, tokens, folder):
    lines = [f'header = "{name}: {value}"' for name, value in headers(options, simulator).items()]
    lines += [f'url = "{url}"' for url in urls(simulator, tokens)]
    return ["curl", "--silent", "--parallel", "--http2", "--retry", "5", "--retry-all-errors", "--max-time", "30",
            "--cacert", simulator.folder + "/authority.pem", "--data", "@" + body(folder),
            "--config", write(folder, "curl.conf", "\n".join(lines))]


def nghttp(options, simulator, tokens, folder):
    fields = [part for name, value in headers(options, simulator).items() for part in ("-H", f"{name}: {value}")]
    return ["nghttp", "--null-out", "--timeout", "10", "--data", body(folder), *fields, *urls(simulator, tokens)]


def h2load(options, simulator, tokens, folder):
    fields = [part for name, value in headers(options, simulator).items() for part in ("-H", f"{name}: {value}")]
    targets = write(folder, "urls", "\n".join(urls(simulator, tokens)))
    return ["h2load", "-n", str(len(tokens)), "-c", "1", "-m", "100", "-N", "10", "-d", body(folder), *fields,
            "-i", targets]


def python_sender(python, script):
    def command(options, simulator, tokens, folder):
        return [python, os.path.join(HERE, script), "--host", "127.0.0.1", "--port", str(simulator.port),
                "--key", simulator.folder + "/key.p8", "--key-id", KEY, "--team-id", TEAM, "--topic", TOPIC,
                "--tokens", write(folder, "tokens", "\n".join(tokens))]
    return command


def dispatcher(kind):
    def command(options, simulator, tokens, folder):
        return [options.score_lab, "bench", "send", "--kind", kind, "--port", str(simulator.port),
                "--authority", simulator.folder + "/authority.pem", "--key", simulator.folder + "/key.p8",
                "--bundle-id", TOPIC, "--team-id", TEAM, "--key-id", KEY, "--seconds", str(LONGEST_SECONDS),
                "--tokens", write(folder, "tokens", "\n".join(tokens))]
    return command


def package_version(python, package):
    if not python:
        return ""
    code = (
        "import importlib.metadata as m, platform;"
        f"print(m.version('{package}'), 'on Python', platform.python_version())"
    )
    return output(python, "-c", code).strip()


def senders(options):
    absent = None if options.pyapns2 else "hyper 0.7.0, its HTTP/2 library, needs Python 3.9 or older; none was found"
    return [
        Sender("score-server, Live Activity", "", dispatcher("update"), alerts=False),
        Sender("score-server, notification", "", dispatcher("notification")),
        Sender("aioapns", package_version(options.aioapns, "aioapns"),
               python_sender(options.aioapns, "send_aioapns.py")),
        Sender("PyAPNs2", package_version(options.pyapns2, "apns2"),
               python_sender(options.pyapns2, "send_pyapns2.py"), absent),
        Sender("curl --parallel --retry 5", output("curl", "--version").split()[1], curl),
        Sender("nghttp", output("nghttp", "--version").strip().split("/")[-1], nghttp),
        Sender("h2load", output("h2load", "--version").strip().split("/")[-1], h2load),
    ]


def wait(process, simulator):
    """Waits until a sender ends; stops one that is idle for too long.

    Returns how it ended and the longest pause before an accepted push, in whole seconds.
    """
    start = changed = time.monotonic()
    accepted = -1
    pause = 0
    while time.monotonic() - start < LONGEST_SECONDS and time.monotonic() - changed < IDLE_SECONDS:
        try:
            return f"status {process.wait(1)}", pause
        except subprocess.TimeoutExpired:
            now = simulator.request("GET", "/statistics")["accepted"]
            if now != accepted:
                pause = max(pause, round(time.monotonic() - changed))
                accepted, changed = now, time.monotonic()
    process.kill()
    process.wait()
    return "stopped", pause


def measure(options, sender, day, tokens):
    """One run: the figures of a sender on a day."""
    with tempfile.TemporaryDirectory(prefix="senders-") as folder:
        simulator = Simulator(options.score_lab, os.path.join(folder, "apns"), day)
        try:
            command = sender.command(options, simulator, tokens, folder)
            environment = {**os.environ, "SSL_CERT_FILE": simulator.folder + "/authority.pem"}
            with open(os.path.join(folder, "log"), "w") as log:
                process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
                end, pause = wait(process, simulator)
            if options.logs:
                os.makedirs(options.logs, exist_ok=True)
                name = re.sub(r"\W+", "-", f"{sender.name}-{day['seed'] if day['rules'] else 'calm'}")
                shutil.copy(os.path.join(folder, "log"), os.path.join(options.logs, name + ".log"))
            statistics = simulator.request("GET", "/statistics")
            phones = simulator.phones(tokens)
        finally:
            simulator.stop()
    dead = days.dead_prefix(day)
    alive = [phone for token, phone in zip(tokens, phones) if not (dead and token.startswith(dead))]
    seconds = (statistics.get("lastAcceptedMs", 0) - statistics.get("firstRequestMs", 0)) / 1000
    return {
        "accepted": sum(1 for pushes, _ in alive if pushes), "lost": sum(1 for pushes, _ in alive if not pushes),
        "dead": len(tokens) - len(alive), "twice": sum(1 for pushes, _ in phones if pushes > 1),
        "silent": sum(1 for pushes, alerts in alive if pushes and not alerts) if sender.alerts else None,
        "alertedTwice": sum(1 for _, alerts in phones if alerts > 1) if sender.alerts else None,
        "seconds": round(max(0, seconds), 2), "end": end, "pause": pause, "refused": statistics["refused"],
    }


COUNTS = ("lost", "silent", "twice", "alertedTwice")


def text(count):
    return "–" if count is None else str(count)


def total(days, key):
    counts = [day[key] for day in days]
    return None if None in counts else sum(counts)


def cell(figures):
    mark = "*" if figures["end"] == "stopped" else ""
    return " / ".join(text(figures[key]) for key in COUNTS) + f" / {figures['seconds']:.1f}{mark}"


def tables(results, seeds):
    """The results as Markdown."""
    lines = [
        "| Sender | Version | calm: accepted | lost | twice | seconds "
        "| bad days: accepted | lost | silent | twice | alerted twice | seconds, median (most) |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        if result["absence"]:
            lines.append(f"| {result['name']} | – | not run: {result['absence']} |" + " |" * 9)
            continue
        quiet, bad = result["days"]["calm"], [result["days"][str(seed)] for seed in seeds]
        seconds = sorted(day["seconds"] for day in bad)
        sums = [text(total(bad, key)) for key in ("accepted", *COUNTS)]
        lines.append(
            f"| {result['name']} | {result['version'] or '–'} | {quiet['accepted']} | {quiet['lost']} | {quiet['twice']} "
            f"| {quiet['seconds']:.1f} | " + " | ".join(sums)
            + f" | {seconds[len(seconds) // 2]:.1f} ({seconds[-1]:.1f}) |"
        )
    ran = [result for result in results if not result["absence"]]
    names = " | ".join(result["name"] for result in ran)
    lines += ["", f"| Seed (dead tokens): lost / silent / twice / alerted twice / seconds | {names} |",
              "|---|" + "---|" * len(ran)]
    for seed in seeds:
        row = [result["days"][str(seed)] for result in ran]
        lines.append(f"| {seed} ({row[0]['dead']}) | " + " | ".join(map(cell, row)) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--score-lab", required=True, help="the executable")
    parser.add_argument("--aioapns", required=True, help="a Python with aioapns")
    parser.add_argument("--pyapns2", help="a Python with PyAPNs2")
    parser.add_argument("--seeds", default="1-10", help="the bad days, first-last")
    parser.add_argument("--only", help="the senders whose name contains this text")
    parser.add_argument("--results", help="a file for all figures, JSON")
    parser.add_argument("--logs", help="a folder for the output of the senders")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))
    seeds = range(first, last + 1)
    chance = random.Random(3000)
    tokens = [bytes(chance.randrange(256) for _ in range(TOKEN_BYTES)).hex() for _ in range(TOKENS)]
    results = []
    for sender in senders(options):
        if options.only and options.only not in sender.name:
            continue
        result = {"name": sender.name, "version": sender.version, "absence": sender.absence, "days": {}}
        results.append(result)
        for name in [] if sender.absence else ["calm", *map(str, seeds)]:
            day = days.calm() if name == "calm" else days.bad(int(name))
            started = time.monotonic()
            result["days"][name] = measure(options, sender, day, tokens)
            print(f"{sender.name}, {name}: {result['days'][name]} ({time.monotonic() - started:.0f} s)",
                  file=sys.stderr, flush=True)
    if options.results:
        with open(options.results, "w") as file:
            json.dump({"machine": platform.platform(), "tokens": TOKENS, "senders": results}, file, indent=1)
    print(tables(results, seeds))


if __name__ == "__main__":
    main()
