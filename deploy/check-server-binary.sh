#!/usr/bin/env bash
# Fails when the server's binary holds code of a simulator: names in Swift symbols follow their length, as in 10Simulators.
set -euo pipefail

binary=$1
for module in Simulators ScoreLab; do
    if grep -aq "${#module}$module" "$binary"; then
        echo "$binary links $module: what serves must not depend on it." >&2
        exit 1
    fi
done
# A binary without names would prove nothing.
grep -aq "11MatchEngine" "$binary" || {
    echo "$binary holds no names of modules, so the simulators cannot be looked for in it." >&2
    exit 1
}
