#!/usr/bin/env bash
# Checks the alert rules and the configuration of Prometheus, and runs the tests of the rules.
set -euo pipefail
cd "$(dirname "$0")"

command -v promtool >/dev/null || {
    echo "promtool is missing. Install it: apt-get install prometheus" >&2
    exit 1
}
# The token file does not exist on a machine that only checks.
promtool check config --syntax-only prometheus.yml
promtool check rules rules/*.yml
promtool test rules tests/*.yml
