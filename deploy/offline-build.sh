#!/usr/bin/env bash
# Builds the server where no network exists: every package must be one that was resolved before.
# The first argument is the folder of a build; DEBUG_FLAGS, which make sets, are the flags of that build. Without root,
# user namespaces must be permitted.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-.build}
[ -f Package.resolved ] && [ -d "$build/checkouts" ] || {
    echo "Build once with a network: swift build --scratch-path $build" >&2
    exit 1
}
before=$(sha256sum Package.resolved)
unshare --net --map-root-user -- bash -c '
    ! (exec 3<>/dev/tcp/1.1.1.1/53) 2>/dev/null || { echo "There is a network." >&2; exit 1; }
    swift build --scratch-path "$0" --force-resolved-versions --product score-server ${DEBUG_FLAGS:-}' "$build"
[ "$before" = "$(sha256sum Package.resolved)" ] || {
    echo "The build has changed the versions of packages." >&2
    exit 1
}
echo "Built without a network, from the $(grep -c '"identity"' Package.resolved) packages of Package.resolved"
