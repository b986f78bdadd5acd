"""The phones of a rehearsal: activities that the simulated APNs draws, and open streams, judged from outside.

For each token the simulated APNs keeps what its phone shows, and whether it ever showed an older state after a newer
one."""

import contextlib
import json
import threading
import time
import urllib.error
import urllib.request


class Activities:
    """Phones that receive pushes; each has the token of one activity."""

    def __init__(self, read):
        # Reads a path of the simulator's control interface as JSON; None for a token without a push.
        self.read = read
        self.tokens = []

    def add(self, token):
        self.tokens.append(token)

    def cards(self):
        """What each phone shows now."""
        return [self.read(f"/phones/{token}") for token in self.tokens]

    def behind(self, revision):
        """How many phones show less than a revision."""
        return sum(card is None or card["rev"] < revision for card in self.cards())

    def went_back(self):
        """How often a phone showed an older state after a newer one."""
        return sum(card["wentBack"] for card in self.cards() if card)


class Stream(threading.Thread):
    """An app in the foreground: it reads every ball of a match, and opens the next stream where the last one ended."""

    # Each revision is one of these events.
    REVISIONS = ("state", "ball", "correction", "deletion")

    def __init__(self, match, address, stopped):
        super().__init__(daemon=True)
        self.match, self.address, self.stopped = match, address, stopped
        self.last_id = None
        self.revision = 0
        self.opened = 0
        # Revisions that were left out, older ones after newer ones, and states that the server could not continue.
        self.missed = self.went_back = self.resets = 0

    def run(self):
        while not self.stopped.is_set():
            with contextlib.suppress(OSError, ValueError):
                self.follow()
            time.sleep(0.2)

    def follow(self):
        """Reads one connection to its end."""
        request = urllib.request.Request(f"{self.address()}/v1/matches/{self.match}/stream?mode=balls")
        if self.last_id:
            request.add_header("Last-Event-ID", self.last_id)
        # A ping comes every 15 s.
        with urllib.request.urlopen(request, timeout=20) as answer:
            self.opened += 1
            event = {}
            for line in answer:
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if name:
                    event[name] = value
                    continue
                self.take(event)
                event = {}
                if self.stopped.is_set():
                    return

    def take(self, event):
        """Compares the revision of an event with the one before it, also across connections and nodes."""
        kind = event.get("event")
        if kind == "reset":
            self.resets += 1
            self.revision = json.loads(event["data"])["state"]["rev"]
        elif kind in self.REVISIONS:
            revision = json.loads(event["data"])["rev"]
            if self.revision:
                self.missed += max(0, revision - self.revision - 1)
                self.went_back += revision < self.revision
            self.revision = max(self.revision, revision)
        self.last_id = event.get("id", self.last_id)
