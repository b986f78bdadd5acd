#!/usr/bin/env bash
# Installs the package in a fresh Debian, starts the server with a private PostgreSQL, and removes it: try.sh PACKAGE.
# The Debian is a folder made by mmdebstrap. Needs root and mmdebstrap.
set -euo pipefail

package=$(realpath "$1")
folder=$(mktemp -d /var/tmp/score-debian-XXXXXX)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait || true
    umount "$folder/proc" 2>/dev/null || true
    rm -r -- "$folder"
}
trap cleanup EXIT
inside() { chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

mmdebstrap --quiet --variant=apt bookworm "$folder"
mount -t proc proc "$folder/proc"
# No service starts in a folder, and PostgreSQL makes no cluster of its own.
printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
chmod 755 "$folder/usr/sbin/policy-rc.d"
mkdir -p "$folder/etc/postgresql-common"
echo 'create_main_cluster = false' >"$folder/etc/postgresql-common/createcluster.conf"
cp "$package" "$folder/tmp/score-server.deb"
inside apt-get install -y -qq --no-install-recommends /tmp/score-server.deb postgresql curl >"$folder/tmp/apt.log" 2>&1 ||
    { tail -20 "$folder/tmp/apt.log"; exit 1; }
inside dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' score-server
inside score-server --version
inside test -f /lib/systemd/system/score-server.service -a -f /etc/score-server/environment
inside sh -c 'test "$(stat -c "%U %G %a" /etc/score-server/environment)" = "root root 640"'
# A second installation keeps the settings.
inside sh -c 'echo "# kept" >>/etc/score-server/environment'
inside dpkg -i /tmp/score-server.deb >/dev/null
inside grep -qx '# kept' /etc/score-server/environment

inside useradd --system score
inside install -d -o score -m 711 /var/lib/score
inside setpriv --reuid score --regid score --clear-groups --no-new-privs env NODE_ID=trial DATA_DIR=/var/lib/score \
    HTTP_PUBLIC_PORT=18080 HTTP_INTERNAL_PORT=19090 score-server serve --env none >"$folder/tmp/serve.log" 2>&1 &
server=$!
for _ in $(seq 100); do
    ready=$(inside curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:19090/readyz || true)
    [ "$ready" = 200 ] && break
    sleep 0.3
done
[ "$ready" = 200 ] || { tail -20 "$folder/tmp/serve.log"; exit 1; }
echo "ready: $(inside curl -s http://127.0.0.1:19090/version), status $(inside curl -s -o /dev/null -w '%{http_code}' \
    http://127.0.0.1:18080/v1/matches) of /v1/matches"
kill -TERM "$(pgrep -P "$server" -x score-server || echo "$server")"
code=0
wait "$server" || code=$?
server=
echo "serve ended with status $code"

inside apt-get remove -y -qq score-server >/dev/null 2>&1
inside sh -c '! command -v score-server && test -f /etc/score-server/environment'
inside apt-get purge -y -qq score-server >/dev/null 2>&1
inside test ! -e /etc/score-server/environment
echo "removed and purged"
[ "$code" = 0 ]
