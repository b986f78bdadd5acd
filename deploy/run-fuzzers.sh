#!/usr/bin/env bash
# Fuzzes the adapter of each provider; stores failing inputs in .fuzz/<provider> and prints their names at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-60}"
# Maximum bytes of an input. libFuzzer cuts longer seeds, which makes their JSON invalid; a test limits seeds to half.
input_bytes_max=65536
providers="${FUZZ_PROVIDERS:-sportmonks roanuz entitysport cricketdata cricsheet}"

swift build -c release --sanitize fuzzer --package-path Fuzzing --scratch-path .build-fuzz
binary="$(swift build -c release --sanitize fuzzer --package-path Fuzzing --scratch-path .build-fuzz --show-bin-path)/FuzzAdapters"

failed=()
for provider in $providers; do
  # libFuzzer writes new inputs to the first folder, so the seeds of the project do not change.
  found=".fuzz/$provider/corpus"
  mkdir -p "$found"
  echo "fuzz $provider for $seconds s"
  # Swift's crash handler would end the process before libFuzzer writes the input.
  if ! SWIFT_BACKTRACE=enable=no FUZZ_PROVIDER="$provider" "$binary" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len="$input_bytes_max" -print_final_stats=1 -verbosity=0 -artifact_prefix=".fuzz/$provider/" \
    "$found" "Fuzzing/Corpus/$provider" 2>".fuzz/$provider/log"; then
    failed+=("$provider")
  fi
  grep -E "stat::number_of_executed_units|SUMMARY|ERROR|Fatal error|Test unit written" ".fuzz/$provider/log" || true
done
if ((${#failed[@]})); then
  echo "failed: ${failed[*]}; repeat an input with FUZZ_PROVIDER=<provider> $binary <file>"
  exit 1
fi
