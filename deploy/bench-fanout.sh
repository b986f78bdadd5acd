#!/usr/bin/env bash
# Measures the dispatcher and h2load in one run: same machine, body and sink; one core for the sender, one for the sink.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$1
tokens=${2:-1000000}
rounds=${ROUNDS:-3}

deploy/install-dependencies.sh nghttp2-client util-linux
work=$(mktemp -d)
last=$(($(nproc) - 1))
taskset -c "$last" "$binary" simulate-apns --sink --port 0 --folder "$work" >"$work/sink" &
sink=$!
trap 'kill "$sink" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    grep -q '^sink:' "$work/sink" && break
    sleep 0.1
done
port=$(sed -nE 's|^sink: https://.*:([0-9]+)$|\1|p' "$work/sink")
"$binary" bench fanout --write-body "$work/body.json"

# The headers are as long as those of the dispatcher. All requests have one path, so h2load compresses better.
token=$(head -c 80 /dev/urandom | od -An -tx1 | tr -d ' \n')
jwt=$(head -c 150 /dev/urandom | base64 -w0 | tr '+/' '-_')
# Prints requests a second and the microseconds of user and system time of a request.
h2load_figures() {
    local TIMEFORMAT='cpu %U %S'
    { time taskset -c 0 h2load -n "$tokens" -c 1 -m 1000 -t 1 -d "$work/body.json" \
        -H "authorization: bearer $jwt" -H "apns-topic: app.score.bench.push-type.liveactivity" \
        -H "apns-push-type: liveactivity" -H "apns-priority: 5" -H "apns-expiration: 1800000000" \
        -H "apns-id: 8c7f1f0e-1f5b-4a0c-9a51-6a6f7d1b2c3d" "https://127.0.0.1:$port/3/device/$token"; } 2>&1 |
        awk -v tokens="$tokens" '/^finished in / { rate = $4 }
            /^cpu / { printf "%s %.2f\n", rate, ($2 + $3) / tokens * 1e6 }'
}

own=()
own_cpu=()
other=()
other_cpu=()
for round in $(seq "$rounds"); do
    figures=$("$binary" bench fanout --tokens "$tokens" --port "$port" --sink-authority "$work/authority.pem" --json)
    own+=("$(sed -nE 's/.*"pushesPerSecond":([0-9.]+).*/\1/p' <<<"$figures")")
    own_cpu+=("$(sed -nE 's/.*"cpuMicrosecondsPerPush":([0-9.]+).*/\1/p' <<<"$figures")")
    read -r rate cpu < <(h2load_figures)
    other+=("$rate")
    other_cpu+=("$cpu")
    echo "round $round: $figures"
    echo "round $round: h2load $rate requests a second, $cpu µs of processor time each"
done
middle() { printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"; }
awk -v mine="$(middle "${own[@]}")" -v theirs="$(middle "${other[@]}")" \
    -v my_cpu="$(middle "${own_cpu[@]}")" -v their_cpu="$(middle "${other_cpu[@]}")" 'BEGIN {
    printf "dispatcher %d pushes a second, h2load %d requests a second, ratio %.2f\n", mine, theirs, mine / theirs
    printf "dispatcher %.2f µs a push, h2load %.2f µs a request, ratio %.2f\n", my_cpu, their_cpu, my_cpu / their_cpu
}'
