#!/usr/bin/env bash
# Runs all tests and ends with one line that is true: the counts come from the result file, not from a log.
set -uo pipefail

if [ -z "${SCORE_DATA:-}" ]; then
    echo "SCORE_DATA is not set: tests on recorded matches are skipped."
fi

build_path=$(swift build --show-bin-path) || exit 1
results="$(dirname "$build_path")/tests"
mkdir -p "$(dirname "$results")"
rm -f "$results"*.xml

log="$results.log"
swift test --disable-xctest --xunit-output "$results.xml" "$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}

# Tests run side by side, so a failure may stand thousands of lines above the end.
if [ "$code" -ne 0 ]; then
    echo "What failed:"
    grep -E '^(.{0,2}✘|.*error: )' "$log" | grep -v 'known issue' | head -60
fi

# Toolchains differ in whether they add the library's name to the file's.
summary=$(ls "$results-swift-testing.xml" "$results.xml" 2>/dev/null | head -1)
if [ -n "$summary" ]; then
    sed -nE 's/.*<testsuite .*errors="([0-9]+)" tests="([0-9]+)" failures="([0-9]+)" skipped="([0-9]+)".*/\1 \2 \3 \4/p' "$summary" |
        awk '{ printf "%d passed, %d failed, %d skipped\n", $2 - $3 - $1 - $4, $3 + $1, $4 }'
fi
exit "$code"
