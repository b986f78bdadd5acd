#!/usr/bin/env python3
"""Lists what a build contains as CycloneDX JSON: Swift packages, Debian libraries, the Swift toolchain.

Run it where the build ran. With --check it compares the Swift packages with deploy/versions.json. With --restore it
writes these versions as Package.resolved before a build, which then uses them instead of newer ones."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESOLVED = ROOT / "Package.resolved"
PINS = ROOT / "deploy" / "versions.json"
# The libraries that the binary loads, by the names of deploy/install-dependencies.sh and of the container.
DEBIAN = ["libcurl4", "libssl3", "libpq5", "libnghttp2-14", "zlib1g", "postgresql-15"]


def output(*command):
    """What a command prints."""
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def swift_packages(scratch):
    """Name, version, address and revision of every package below ours, from the resolved graph."""
    options = ["--scratch-path", scratch] if scratch else []
    text = output("swift", "package", *options, "show-dependencies", "--format", "json")
    revisions = {pin["identity"]: pin["state"]["revision"] for pin in json.loads(RESOLVED.read_text())["pins"]}
    packages = {}

    def visit(node):
        for child in node["dependencies"]:
            if child["identity"] in revisions:
                packages[child["identity"]] = {
                    "version": child["version"],
                    "location": child["url"].removesuffix(".git"),
                    "revision": revisions[child["identity"]],
                }
            visit(child)

    visit(json.loads(text))
    return dict(sorted(packages.items()))


def debian_packages():
    """Name and version of the installed libraries."""
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture} ${db:Status-Status}\n", *DEBIAN],
        capture_output=True,
        text=True,
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [(name, version, architecture) for name, version, architecture, status in rows if status == "installed"]


def document(packages):
    """The bill of materials."""
    compiler = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    release = re.search(r'version = "([^"]+)"', (ROOT / "Sources/ScoreServer/Commands/ScoreServerCommand.swift").read_text())
    components = [
        {
            "type": "library",
            "name": name,
            "version": package["version"],
            "purl": "pkg:swift/" + package["location"].removeprefix("https://") + "@" + package["version"],
            "properties": [{"name": "git:revision", "value": package["revision"]}],
        }
        for name, package in packages.items()
    ]
    components += [
        {"type": "library", "name": name, "version": version, "purl": f"pkg:deb/debian/{name}@{version}?arch={architecture}"}
        for name, version, architecture in debian_packages()
    ]
    components.append({"type": "framework", "name": "swift", "version": compiler})
    application = {"type": "application", "name": "score-server", "version": release.group(1) if release else "unknown"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": application},
        "components": components,
    }


def restore():
    """Writes the versions of deploy/versions.json as SwiftPM's own file."""
    pins = [
        {
            "identity": name,
            "kind": "remoteSourceControl",
            "location": package["location"],
            "state": {"revision": package["revision"], "version": package["version"]},
        }
        for name, package in json.loads(PINS.read_text()).items()
    ]
    RESOLVED.write_text(json.dumps({"pins": pins, "version": 2}, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scratch-path", help="the scratch path of the build")
    parser.add_argument("--check", action="store_true", help="compare with deploy/versions.json")
    parser.add_argument("--pin", action="store_true", help="write deploy/versions.json")
    parser.add_argument("--restore", action="store_true", help="write Package.resolved from deploy/versions.json")
    options = parser.parse_args()
    if options.restore:
        return restore()
    packages = swift_packages(options.scratch_path)
    if options.pin:
        PINS.write_text(json.dumps(packages, indent=2) + "\n")
    elif options.check:
        pinned = json.loads(PINS.read_text())
        changed = [name for name in sorted(packages.keys() | pinned.keys()) if packages.get(name) != pinned.get(name)]
        if changed:
            sys.exit(f"Other packages than in deploy/versions.json: {', '.join(changed)}")
        print(f"{len(packages)} Swift packages are those of deploy/versions.json")
    else:
        print(json.dumps(document(packages), indent=2))


main()
