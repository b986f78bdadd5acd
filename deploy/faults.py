#!/usr/bin/env python3
"""Writes docs/faults.md: every fault that the service must survive, the tests that show it, and their last result.

A reader needs to know which faults are tested and which are not. The names of tests begin with the ids of the faults that
they show, such as "A4, H1: ..."; deploy/faults.json has the faults. A fault without such a test names a command that shows
it, or states what is not shown. With --check the program fails when a fault has none of these, or a test an unknown id."""

import argparse
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "deploy" / "faults.json"
PAGE = ROOT / "docs" / "faults.md"
FOLDERS = ["Tests", "Clients/Apple/Tests"]

GROUPS = {
    "F": "Feeds", "P": "PostgreSQL", "A": "APNs", "H": "Processes and hosts", "C": "Clients", "O": "Operators",
    "S": "Controls of security",
}
COLUMNS = ["Id", "Fault", "What must hold", "Tests or command", "Result"]
INTRODUCTION = """# Faults

Each row is a fault, what must hold, and the tests that show it. `make faults` runs these tests and writes their results
here. `make check` fails when a fault has no test, no command and no reason, and when a row is out of date. `Not shown`
names what no test observes. The ids begin the names of the tests; `deploy/faults.json` has the texts.
"""

TITLE = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
FUNCTION = re.compile(r"\bfunc (\w+)")
TYPE = re.compile(r"^(\s*)(?:@\w+(?:\([^\n]*\))?\s+)*(?:\w+ )*?(?:struct|class|actor|enum|extension) (\w+)", re.MULTILINE)
# Names may also have numbers of other lists, such as "A4, 16: ..." or "S49, m: ...".
MARK = re.compile(r"[A-Za-z]{0,2}\d+(?:\.\d+)?|[a-z]")
FAULT = re.compile(f"[{''.join(GROUPS)}]" + r"\d+")


def ids_of(title):
    """The ids of faults that begin the name of a test."""
    marks, colon, _ = title.partition(": ")
    marks = marks.split(", ") if colon else []
    return [mark for mark in marks if FAULT.fullmatch(mark)] if all(map(MARK.fullmatch, marks)) else []


def suites_around(text, position):
    """The names of the types around a place in a file, the outermost first."""
    indent = position - text.rfind("\n", 0, position) - 1
    names = []
    for found in reversed(list(TYPE.finditer(text, 0, position))):
        if len(found[1].lstrip("\n")) < indent:
            indent = len(found[1].lstrip("\n"))
            names.insert(0, found[2])
    return names


def tests_by_id():
    """The tests of each id as (module, suites, function), in the order of files and lines."""
    tests = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            text = path.read_text()
            module = path.relative_to(ROOT / folder).parts[0]
            for found in TITLE.finditer(text):
                for name in ids_of(found[1]):
                    function = FUNCTION.search(text, found.end())[1]
                    test = (module, "/".join(suites_around(text, found.start())), function)
                    tests.setdefault(name, []).append(test)
    return tests


def filter_of(tests):
    """A regular expression for `--filter` that matches exactly these tests."""
    suites = {}
    for module, suite, function in sorted({test for listed in tests.values() for test in listed}):
        suites.setdefault((module, suite), []).append(function)
    parts = [rf"{module}\.{suite}/({'|'.join(names)})\(" for (module, suite), names in suites.items()]
    return f"^({'|'.join(parts)})"


def results_of(files):
    """The result of each test that ran or was skipped, by (module, suites, function)."""
    results = {}
    for file in files:
        # Some toolchains write a second file without content.
        if not pathlib.Path(file).stat().st_size:
            continue
        for case in ElementTree.parse(file).iter("testcase"):
            module, _, suite = case.get("classname").partition(".")
            test = (module, suite.replace(".", "/"), case.get("name").partition("(")[0])
            if case.find("failure") is not None or case.find("error") is not None:
                results[test] = "failed"
            elif case.find("skipped") is None:
                results.setdefault(test, "passed")
    return results


def result_of(listed, results):
    """One result for all tests of a fault."""
    if not listed:
        return "–"
    states = {results.get(test, "not run") for test in listed}
    return next(state for state in ["failed", "not run", "passed"] if state in states)


def evidence(fault, listed):
    """The text of the column with tests, command and reason."""
    parts = [f"`{suite}/{function}`" for _, suite, function in listed]
    if "by" in fault:
        parts.append(f"`{fault['by']}`")
    if "reason" in fault:
        parts.append(f"Not shown: {fault['reason']}" if parts else fault["reason"])
    return "<br>".join(parts)


def rows_of(text):
    """The cells of each row of a page, by id."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {cells[0]: cells for cells in lines if FAULT.fullmatch(cells[0])}


def page(catalogue, tests, state):
    """The whole page; `state` returns the result of a fault."""
    parts = [INTRODUCTION]
    for letter, title in GROUPS.items():
        parts.append(f"\n## {title}\n\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n")
        for fault in (fault for fault in catalogue if fault["id"][0] == letter):
            texts = [fault["id"], fault["fault"], fault["holds"], evidence(fault, tests.get(fault["id"], []))]
            parts.append(f"| {' | '.join(text.replace('|', '&#124;') for text in texts)} | {state(fault['id'])} |\n")
    return "".join(parts)


def complaints(catalogue, tests, written, fresh):
    """Everything that `--check` reports."""
    known = [fault["id"] for fault in catalogue]
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for name in sorted({name for name in known if known.count(name) > 1}):
        yield f"{name} is twice in deploy/faults.json"
    for fault in catalogue:
        command = fault.get("by", "")
        if fault["id"] not in tests and not command and not fault.get("reason"):
            yield f"{fault['id']} has no test, no command and no reason"
        if command.startswith("make ") and command.removeprefix("make ") not in targets:
            yield f"{fault['id']} names {command}, which the Makefile does not have"
    for name in sorted(tests.keys() - set(known)):
        yield f"{name} is in the name of {tests[name][0][2]}, but not in deploy/faults.json"
    old, new = ({name: cells[:-1] for name, cells in rows_of(text).items()} for text in (written, fresh))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield f"{name} is out of date in docs/faults.md; run deploy/faults.py"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", nargs="+", metavar="FILE", help="result files of the tests, in the form of JUnit")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when something is missing or out of date")
    parser.add_argument("--filter", action="store_true", help="print the regular expression of all tests with an id")
    options = parser.parse_args()

    catalogue, tests = json.loads(CATALOGUE.read_text()), tests_by_id()
    if options.filter:
        print(filter_of(tests))
        return 0
    written = PAGE.read_text() if PAGE.exists() else ""
    if options.results:
        results = results_of(options.results)
        fresh = page(catalogue, tests, lambda name: result_of(tests.get(name, []), results))
    else:
        kept = {name: cells[-1] for name, cells in rows_of(written).items()}
        fresh = page(catalogue, tests, lambda name: kept.get(name, "not run") if name in tests else "–")
    if options.check:
        found = list(complaints(catalogue, tests, written, fresh))
        print("\n".join(found), end="\n" if found else "", file=sys.stderr)
        return 1 if found else 0
    PAGE.write_text(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
