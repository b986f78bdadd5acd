#!/usr/bin/env bash
# Runs all tests; the last line has the counts from the result files, because a crash may truncate the log.
set -uo pipefail

build_path=$(swift build --show-bin-path) || exit 1
results="$(dirname "$build_path")/tests"
mkdir -p "$(dirname "$results")"
rm -f "$results"*.xml "$results"*.log

# These suites use all cores; tests that wait for a server would exceed their time limits beside them.
feeds='AdapterFuzz|EntitySportRoundTrip|MisbehavingFeed|PlayThrough|RoundTrip|ScorersMistakes'
computing="^(RepositoryTests|LiveSurfaceTests|MatchEngineTests|ScoreTypesTests)\\.|^SimulatorsTests\\.($feeds)Tests"
computing="$computing|^PushDispatcherTests\\.SimulationTests|^ScoreClientTests\\.QueueHistoryTests"
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

# Tests run in parallel: a failure may be thousands of lines above the end.
if [ "$code" -ne 0 ]; then
    echo "Failures:"
    grep -hE '^(.{0,2}✘|.*error: )' "$results"-*.log | grep -v 'known issue' | head -60
fi

skipped=$(grep -hE ' Test .* skipped: "SCORE_DATA is not set"' "$results"-*.log | wc -l)
if [ "$skipped" -gt 0 ]; then
    echo "SKIPPED: $skipped tests need recorded matches; set SCORE_DATA to their folder"
fi

if grep -qh ' Test .* skipped: "aioapns is not installed"' "$results"-*.log; then
    echo "SKIPPED: the test with aioapns; run deploy/install-senders.sh once"
fi

if grep -qh ' Suite .* skipped: "SKIPPED: nginx-light' "$results"-*.log; then
    echo "SKIPPED: the tests of proxies; run deploy/install-dependencies.sh nginx-light haproxy curl once"
fi

# Some toolchains add the library's name to the file name and write a second, empty file.
cat "$results"-*.xml 2>/dev/null |
    sed -nE 's/.*<testsuite .*errors="([0-9]+)" tests="([0-9]+)" failures="([0-9]+)" skipped="([0-9]+)".*/\1 \2 \3 \4/p' |
    awk '{ passed += $2 - $3 - $1 - $4; failed += $3 + $1; skipped += $4 }
        END { if (NR) printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
exit "$code"
