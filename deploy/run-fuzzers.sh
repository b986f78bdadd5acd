#!/usr/bin/env bash
# Fuzzes the adapter of each provider; what breaks one is kept in .fuzz/<provider> and named in the last lines.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-60}"
# Most bytes of an input: a longer seed would be cut, and what is cut is no JSON any more. A test holds the seeds to half.
input_bytes_max=65536
providers="${FUZZ_PROVIDERS:-sportmonks roanuz entitysport cricketdata cricsheet}"

swift build -c release --sanitize fuzzer --package-path Fuzzing --scratch-path .build-fuzz
binary="$(swift build -c release --sanitize fuzzer --package-path Fuzzing --scratch-path .build-fuzz --show-bin-path)/FuzzAdapters"

failed=()
for provider in $providers; do
  # New inputs go to the first folder, so that the seeds of the project stay as they are.
  found=".fuzz/$provider/corpus"
  mkdir -p "$found"
  echo "fuzz $provider for $seconds s"
  # Without this, Swift's own crash handler ends the process before the input is written.
  if ! SWIFT_BACKTRACE=enable=no FUZZ_PROVIDER="$provider" "$binary" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len="$input_bytes_max" -print_final_stats=1 -verbosity=0 -artifact_prefix=".fuzz/$provider/" \
    "$found" "Fuzzing/Corpus/$provider" 2>".fuzz/$provider/log"; then
    failed+=("$provider")
  fi
  grep -E "stat::number_of_executed_units|SUMMARY|ERROR|Fatal error|Test unit written" ".fuzz/$provider/log" || true
done
if ((${#failed[@]})); then
  echo "broken: ${failed[*]}; play an input again with FUZZ_PROVIDER=<provider> $binary <file>"
  exit 1
fi
