#!/usr/bin/env bash
# Installs Chromium, and Playwright and axe-core in .build-console; needs PyPI at the first time.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ -x /usr/bin/chromium ] || deploy/install-dependencies.sh chromium
folder=.build-console
if ! cmp -s deploy/console/requirements.txt "$folder/installed.txt"; then
    [ -x "$folder/bin/pip" ] || python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r deploy/console/requirements.txt
    cp deploy/console/requirements.txt "$folder/installed.txt"
fi
