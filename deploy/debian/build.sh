#!/usr/bin/env bash
# Packs score-server as a Debian package: build.sh PROGRAM OUTPUT-FOLDER. The program has Swift's runtime linked statically.
set -euo pipefail

program=$1 output=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -nE 's/.*static let version = "([^"]+)".*/\1/p' "$root/Sources/ScoreServer/Commands/ScoreServerCommand.swift")
architecture=$(dpkg --print-architecture)

if ldd "$program" | grep -q libswiftCore; then
    echo "$program needs Swift's runtime. Build it with swift build -c release --static-swift-stdlib" >&2
    exit 1
fi

tree=$(mktemp -d)
trap 'rm -r -- "$tree"' EXIT
chmod 755 "$tree"
install -D -m 755 "$program" "$tree/usr/bin/score-server"
strip --strip-debug "$tree/usr/bin/score-server"
install -D -m 644 "$root/deploy/score-server.service" "$tree/lib/systemd/system/score-server.service"
install -D -m 644 "$root/.env.example" "$tree/usr/share/doc/score-server/environment.example"
install -m 644 "$root/LICENSE" "$tree/usr/share/doc/score-server/copyright"
cp -r "$root/deploy/prometheus" "$root/deploy/grafana" "$root/docs/runbooks" "$tree/usr/share/doc/score-server/"
install -d -m 755 "$tree/etc/score-server"
install -D -m 644 "$root/.env.example" "$tree/usr/share/score-server/environment.example"

install -d "$tree/DEBIAN"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: score-server
Version: $version
Architecture: $architecture
Maintainer: score-server <score-server@localhost>
Depends: ca-certificates, libc6 (>= 2.36), libcurl4, libnghttp2-14, libpq5, libssl3, libstdc++6, zlib1g
Suggests: postgresql, nginx, prometheus
Section: net
Priority: optional
Description: Live cricket scores for iOS Live Activities
 Polls ball-by-ball feeds, keeps the score correct, and sends every ball to
 Lock Screens and Dynamic Islands through APNs.
CONTROL
# The settings are the operator's file and no conffile: an upgrade leaves them as they are and has no question about them.
# The unit starts when an operator has written the settings and the key.
cat >"$tree/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = configure ] && [ ! -e /etc/score-server/environment ]; then
    install -o root -g root -m 640 /usr/share/score-server/environment.example /etc/score-server/environment
fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
SCRIPT
cat >"$tree/DEBIAN/postrm" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -f /etc/score-server/environment
    if [ -d /etc/score-server ]; then rmdir --ignore-fail-on-non-empty /etc/score-server; fi
fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
SCRIPT
chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/postrm"
mkdir -p "$output"
dpkg-deb --root-owner-group --build "$tree" "$output/score-server_${version}_$architecture.deb"
