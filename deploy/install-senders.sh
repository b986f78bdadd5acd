#!/usr/bin/env bash
# Installs the Python senders of the comparison, each in an environment of its own below .build-senders.
set -euo pipefail
cd "$(dirname "$0")/.."

deploy/install-dependencies.sh nghttp2-client curl python3-venv
environment() {
    local python=$1 name=$2 folder=.build-senders/$2
    [ -x "$folder/bin/pip" ] || "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "Benchmarks/Senders/$name.txt"
}
environment python3 aioapns

# hyper 0.7.0, which PyAPNs2 requires, imports names that Python 3.10 removed.
for python in python3.9 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.9.*/bin/python python3.8; do
    if "$python" -c 'import sys; sys.exit(sys.version_info >= (3, 10))' 2>/dev/null; then
        environment "$python" pyapns2
        exit
    fi
done
echo "PyAPNs2 is not installed: it needs Python 3.8 or 3.9"
