#!/usr/bin/env bash
# Runs all tests and ends with one line that is true: the counts come from the result files, not from a log.
set -uo pipefail

if [ -z "${SCORE_DATA:-}" ]; then
    echo "SCORE_DATA is not set: tests on recorded matches are skipped."
fi

build_path=$(swift build --show-bin-path) || exit 1
results="$(dirname "$build_path")/tests"
mkdir -p "$(dirname "$results")"
rm -f "$results"*.xml "$results"*.log

# What computes takes all cores, and tests that wait for a server's answer beside it wait in vain: they come apart.
feeds='AdapterFuzz|EntitySportRoundTrip|MisbehavingFeed|PlayThrough|RoundTrip|ScorersMistakes'
computing="^(RepositoryTests|LiveSurfaceTests|MatchEngineTests|ScoreTypesTests)\\.|^SimulatorsTests\\.($feeds)Tests"
computing="$computing|^PushDispatcherTests\\.SimulationTests"
code=0
run() {
    local name=$1
    shift
    swift test --disable-xctest --xunit-output "$results-$name.xml" "$@" 2>&1 | tee "$results-$name.log"
    local status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] || code=$status
}
if [ "$#" -gt 0 ]; then
    run chosen "$@"
else
    run computing --filter "$computing"
    run waiting --skip-build --skip "$computing"
fi

# Tests run side by side, so a failure may stand thousands of lines above the end.
if [ "$code" -ne 0 ]; then
    echo "What failed:"
    grep -hE '^(.{0,2}✘|.*error: )' "$results"-*.log | grep -v 'known issue' | head -60
fi

# Toolchains differ in whether they add the library's name to the file's; the other file, if there is one, is empty.
cat "$results"-*.xml 2>/dev/null |
    sed -nE 's/.*<testsuite .*errors="([0-9]+)" tests="([0-9]+)" failures="([0-9]+)" skipped="([0-9]+)".*/\1 \2 \3 \4/p' |
    awk '{ passed += $2 - $3 - $1 - $4; failed += $3 + $1; skipped += $4 }
        END { if (NR) printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
exit "$code"
