"""Hooks of schemathesis: the credential and the key of each request."""

import json
import os
import re
import urllib.request

import schemathesis

REGISTRATION = {
    "platform": "ios", "bundleId": "com.example.app", "appBuild": "1", "osVersion": "18.2",
    "apnsEnvironment": "sandbox", "channelsSupported": True,
}


def register():
    """Registers a phone; returns its credential."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": os.urandom(16).hex()}
    request = urllib.request.Request(
        os.environ["SCORE_PUBLIC"] + "/v1/devices", json.dumps(REGISTRATION).encode(), headers, method="POST"
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["credential"]


DEVICE = register()


@schemathesis.auth(refresh_interval=None)
class Credential:
    """The device of the run; a device of its own for a request that erases it or replaces its credential."""

    def get(self, case, context):
        operation = case.operation.definition.raw.get("operationId", "")
        if operation == "postNotice":
            return "rs-api-key", os.environ["SCORE_FEED_SECRET"]
        if operation in ("eraseDevice", "rotateCredential"):
            return "Authorization", "Bearer " + register()
        token = DEVICE if case.path.startswith("/v1/") else os.environ["SCORE_ADMIN_TOKEN"]
        return "Authorization", "Bearer " + token

    def set(self, case, data, context):
        name, value = data
        case.headers = case.headers or {}
        case.headers[name] = value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each request a key of its own: one key with two bodies is refused, which no schema says.

    A revision in If-Match gets its quotes back."""
    name = next((name for name in case.headers or {} if name.lower() == "idempotency-key"), None)
    if name and re.fullmatch(r"[!-~]{16,64}", str(case.headers[name])):
        case.headers[name] = os.urandom(16).hex()
    # A valid revision is digits in quotes, which schemathesis reads as JSON and sends as a number.
    revision = str((case.headers or {}).get("If-Match", ""))
    if revision.isdigit() and case.meta and case.meta.generation.mode.is_positive:
        case.headers["If-Match"] = f'"{revision}"'


@schemathesis.hook
def filter_query(context, query):
    """Leaves out U+0000 in targets, which every route refuses, so that no schema of a parameter repeats it."""
    return "\0" not in "".join(str(value) for value in (query or {}).values())
