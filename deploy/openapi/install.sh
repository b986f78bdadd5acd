#!/usr/bin/env bash
# Installs schemathesis and vacuum, which check openapi.yaml, in .build-openapi; needs PyPI at the first time.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=.build-openapi
if ! cmp -s deploy/openapi/requirements.txt "$folder/installed.txt"; then
    [ -x "$folder/bin/pip" ] || python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r deploy/openapi/requirements.txt
    cp deploy/openapi/requirements.txt "$folder/installed.txt"
fi
