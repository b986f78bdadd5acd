"""The days of the comparison: scripts of faults for the APNs simulator, drawn from a seed."""

import json
import random
import sys


def calm():
    """A day without a fault."""
    return {"seed": 1, "rules": []}


def bad(seed):
    """A day with every kind of fault that APNs was seen to have; amounts and times are drawn from the seed.

    Times are numbers of requests, so that a day is the same for a fast and for a slow sender. A rule for one request
    precedes the rules for shares of all requests, because the first rule that matches a request applies.
    """
    chance = random.Random(seed)

    def moment():
        return chance.randint(50, 2800)

    rules = []
    for fault in ("goAway", "cut", "cutAfter", "silence", "silenceAfter"):
        for _ in range(chance.randint(1, 3)):
            rules.append({"do": fault, "at": moment()})
    start = moment()
    end = start + chance.randint(5, 60)
    rules.append({"do": "answer", "status": 503, "reason": "Shutdown", "from": start, "through": end})
    rules.append({"do": "goAway", "at": end + 1})
    start = moment()
    end = start + chance.randint(1, 20)
    rules.append({"do": "answer", "status": 403, "reason": "ExpiredProviderToken", "from": start, "through": end})
    rules.append({"do": "limitStreams", "count": chance.randint(1, 50), "at": moment()})
    rules.append({
        "do": "answer", "status": 410, "reason": "Unregistered", "deadSinceMs": 1800000000000,
        "token": "%02x" % chance.randint(0, 255),
    })
    for fault, lowest, highest in (
        ({"do": "refuse"}, 0.002, 0.02),
        ({"do": "answer", "status": 429, "reason": "TooManyRequests", "retryAfter": 1}, 0.002, 0.01),
        ({"do": "answer", "status": 503, "reason": "ServiceUnavailable"}, 0.002, 0.02),
        ({"do": "answer", "status": 500, "reason": "InternalServerError"}, 0.001, 0.01),
        ({"do": "delay", "milliseconds": chance.randint(100, 900)}, 0.01, 0.1),
        # A limit concerns one connection, and so does its end.
        ({"do": "limitStreams", "count": 1000}, 0.002, 0.004),
    ):
        rules.append({**fault, "share": round(chance.uniform(lowest, highest), 4)})
    return {"seed": seed, "rules": rules}


def dead_prefix(day):
    """The first digits of the tokens that are dead on a day; None on a day without."""
    return next((rule["token"] for rule in day["rules"] if "token" in rule), None)


if __name__ == "__main__":
    print(json.dumps(bad(int(sys.argv[1])), indent=2))
