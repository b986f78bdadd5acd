#!/usr/bin/env bash
# Makes a certificate for the proxy of compose.yml, which no client trusts.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p certificate
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout certificate/privkey.pem -out certificate/fullchain.pem
