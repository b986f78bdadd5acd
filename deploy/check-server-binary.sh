#!/usr/bin/env bash
# Fails when the server's binary contains code of a simulator. In Swift symbols a name follows its length: 10Simulators.
set -euo pipefail

binary=$1
for module in Simulators ScoreLab; do
    if grep -aq "${#module}$module" "$binary"; then
        echo "$binary links $module; the server must not depend on it." >&2
        exit 1
    fi
done
# The check needs a binary with symbol names.
grep -aq "11MatchEngine" "$binary" || {
    echo "$binary contains no module names, so the check is not possible." >&2
    exit 1
}
