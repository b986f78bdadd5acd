#!/usr/bin/env bash
# Installs the Debian packages that score-server needs to build and run; does nothing when all are installed.
set -euo pipefail

packages=(libcurl4-openssl-dev libssl-dev libpq-dev libnghttp2-dev zlib1g-dev postgresql pkg-config)
# The arguments are further packages, for measurements.
packages+=("$@")

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done

if [ "${#missing[@]}" -gt 0 ]; then
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "Missing packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
            exit 1
        }
        as_root=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${as_root[@]}" apt-get -o Acquire::Retries=5 update -qq
    # Without this file the package starts a cluster on port 5432; score-server starts its own private cluster.
    "${as_root[@]}" mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo 'create_main_cluster = false' | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=5 install -y -qq --no-install-recommends "${missing[@]}"
fi

command -v swift >/dev/null || {
    echo "No Swift toolchain on PATH. Install Swift 6.2 or later from https://www.swift.org/install/linux/" >&2
    exit 1
}
