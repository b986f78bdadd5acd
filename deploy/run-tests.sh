#!/usr/bin/env bash
# Runs all tests, or those of `--filter` and `--skip`; the last line has the counts from the result files, because a
# crash may truncate the log. DEBUG_FLAGS, which make sets, are flags of the build.
set -uo pipefail

build_path=$(swift build --show-bin-path) || exit 1
results="$(dirname "$build_path")/tests"
mkdir -p "$(dirname "$results")"
rm -f "$results"*.xml "$results"*.log

read -ra flags <<<"${DEBUG_FLAGS:-}"
swift build --build-tests --disable-xctest "${flags[@]}" || exit 1

# Exit code of the test program when no test of a group was chosen.
none=69
code=$none

# Runs the chosen tests of the suites that match `suites` as the group `name`, which starts each line of the output, and
# keeps the log and the result file. It starts the program itself: several `swift test` at once lock one another out of
# the database of the build. At most `width` tests run at once: without a bound all of them start together, and each
# one's time limit counts the work of all.
run() {
    local name=$1 width=$2 suites=$3
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$width NO_COLOR=1 \
        "$build_path"/*PackageTests.xctest --testing-library swift-testing \
        --xunit-output "$results-$name.xml" --skip "^(?!$suites)" "${chosen[@]}" 2>&1 |
        tee "$results-$name.log" | sed -u "s/^/$name: /"
    return "${PIPESTATUS[0]}"
}

# Records the exit code of a group; the first failure is the exit code of the run.
ended() {
    if [ "$1" -ne "$none" ] && { [ "$code" -eq "$none" ] || [ "$code" -eq 0 ]; }; then code=$1; fi
}

# Groups follow one another: beside others, above all beside tests that only compute, servers miss the times that they
# promise.
feeds='AdapterFuzz|DayOfFeed|EntitySportRoundTrip|MisbehavingFeed|PlayThrough|RoundTrip|ScorersMistakes'
feeds="$feeds|SimulatedFeedServer|SimulatedPhoneSystem|PhoneHistory"
corpus="RecordedContract|SpecialMoments|SpecialCases|CricsheetCorpus|CapturePruning|ShapeFault"
clients="ActivityKit|Example|QueueHistory"
computing="^(RepositoryTests|LiveSurfaceTests|MatchEngineTests|ScoreTypesTests|SurfaceImagesTests)\\."
computing="$computing|^SimulatorsTests\\.($feeds)Tests|^ScoreIngestTests\\.($corpus)Tests"
computing="$computing|^ScoreClientTests\\.($clients)Tests|^PushDispatcherTests\\.SimulationTests"
processes='^ScoreLabTests\.|^ScoreServerTests\.ServeFailureTests'
# The one that compares delays has the machine for itself.
timed='^ScoreServerTests\.SlowAttackTests'
pushes='^(HTTP2Tests|PushDispatcherTests)\.'
databases='^(FollowServiceTests|LiveActivitiesTests|MatchJournalTests|PostgresTests)\.'
others="(?!$computing|$processes|$timed|$pushes|$databases)"
chosen=("$@")
run timed 1 "$timed"
ended "$?"
run pushes 3 "(?!$computing)(?:$pushes)"
ended "$?"
run waiting 4 "$others"
ended "$?"
run databases 4 "(?!$computing)(?:$databases)"
ended "$?"
run processes 2 "$processes"
ended "$?"
run computing 2 "$computing"
ended "$?"
if [ "$code" -eq "$none" ]; then
    echo "No test matches: $*"
    exit "$code"
fi

# Tests run in parallel: a failure may be thousands of lines above the end. A line with an arrow has its comment.
if [ "$code" -ne 0 ]; then
    echo "Failures:"
    cat "$results"-*.log |
        awk '/known issue/ { shown = 0; next }
            /^✘|^..✘|error: / { shown = 1; print; next }
            shown && /↳/ { print; next }
            { shown = 0 }' |
        head -80
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

if grep -qh ' Suite .* skipped: "SKIPPED: this user may not mount' "$results"-*.log; then
    echo "SKIPPED: the test of a full disk; run the tests as a user who may mount (root with CAP_SYS_ADMIN)"
fi

# Some toolchains add the library's name to the file name and write a second, empty file.
cat "$results"-*.xml 2>/dev/null |
    sed -nE 's/.*<testsuite .*errors="([0-9]+)" tests="([0-9]+)" failures="([0-9]+)" skipped="([0-9]+)".*/\1 \2 \3 \4/p' |
    awk '{ passed += $2 - $3 - $1 - $4; failed += $3 + $1; skipped += $4 }
        END { if (NR) printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
exit "$code"
