#!/usr/bin/env python3
"""Checks JSON documents against one of these schemas with an independent validator (Debian: python3-jsonschema).

    validate.py SCHEMA < documents      one document a line; prints `valid` or the fault of each, one a line
"""
import json
import sys

from jsonschema import Draft202012Validator


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    # All is read before anything is printed, so that a caller who writes first and reads later cannot be blocked.
    verdicts = []
    for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
        if not line:
            continue
        fault = next(validator.iter_errors(json.loads(line)), None)
        verdicts.append("valid" if fault is None else "fault at " + fault.json_path + " " + ascii(fault.message))
    print("\n".join(verdicts))
    sys.exit(0 if all(verdict == "valid" for verdict in verdicts) else 1)


main()
