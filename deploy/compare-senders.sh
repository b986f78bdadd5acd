#!/usr/bin/env bash
# Compares senders of pushes on the APNs simulator; further arguments go to Benchmarks/Senders/compare.py.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$1
shift
deploy/install-senders.sh
folder=$PWD/.build-senders
arguments=()
if "$folder/pyapns2/bin/python" -c "import apns2.client" 2>/dev/null; then
    arguments=(--pyapns2 "$folder/pyapns2/bin/python")
fi
PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/Senders/compare.py --score-lab "$binary" \
    --aioapns "$folder/aioapns/bin/python" "${arguments[@]}" --results "$folder/results.json" --logs "$folder/logs" "$@"
