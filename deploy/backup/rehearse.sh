#!/usr/bin/env bash
# Backs up a PostgreSQL of its own with pgBackRest, damages it, and restores it to the moment before; all in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")"

# PostgreSQL refuses to run as root.
if [ "$(id -u)" -eq 0 ]; then exec runuser -u postgres -- "$PWD/$(basename "$0")"; fi

for program in pgbackrest /usr/lib/postgresql/15/bin/postgres; do
    command -v "$program" >/dev/null || {
        echo "$program is missing. Install it: apt-get install pgbackrest postgresql-15" >&2
        exit 1
    }
done

folder=$(mktemp -d /tmp/score-backup-XXXXXX)
export PATH=/usr/lib/postgresql/15/bin:$PATH PGHOST=$folder PGUSER=postgres PGDATABASE=postgres PGDATA=$folder/data
trap 'pg_ctl stop -m immediate >/dev/null 2>&1 || true; rm -r -- "$folder"' EXIT

# The shipped configuration, with the folders of this run.
sed -e "s|^repo1-path=.*|repo1-path=$folder/repository|" -e "s|^pg1-path=.*|pg1-path=$PGDATA|" pgbackrest.conf \
    >"$folder/pgbackrest.conf"
cat >>"$folder/pgbackrest.conf" <<SETTINGS
pg1-socket-path=$folder
pg1-user=postgres
SETTINGS
paths="lock-path=$folder\nlog-path=$folder\nspool-path=$folder"
sed -i "s|^\[global\]|[global]\n$paths\nlog-level-console=warn|" "$folder/pgbackrest.conf"
backrest() { pgbackrest --config="$folder/pgbackrest.conf" --stanza=score "$@"; }

initdb --auth=trust --username=postgres --data-checksums --encoding=UTF8 >/dev/null
cat >>"$PGDATA/postgresql.conf" <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$folder'
archive_mode = on
archive_command = 'pgbackrest --config=$folder/pgbackrest.conf --stanza=score archive-push %p'
SETTINGS
pg_ctl start --wait --log="$folder/log" >/dev/null
query() { psql --no-psqlrc --quiet --tuples-only --no-align --command="$1"; }

backrest stanza-create
query 'create table device as select n from generate_series(1, 100000) n'
began=$(date +%s%N)
backrest backup --type=full
echo "full backup: $((($(date +%s%N) - began) / 1000000)) ms"
query 'insert into device select n from generate_series(100001, 150000) n'
backrest backup --type=incr

# The rows after the last backup are in the archive only.
query 'insert into device select n from generate_series(150001, 200000) n'
moment=$(query 'select clock_timestamp()')
query 'drop table device'
query 'select pg_switch_wal()' >/dev/null
backrest check

pg_ctl stop --wait -m fast >/dev/null
rm -r -- "$PGDATA"
began=$(date +%s%N)
backrest restore --type=time --target="$moment" --target-action=promote
pg_ctl start --wait --log="$folder/log" >/dev/null
until [ "$(query 'select pg_is_in_recovery()')" = f ]; do :; done
echo "restore to $moment: $((($(date +%s%N) - began) / 1000000)) ms"

rows=$(query 'select count(*) from device')
echo "rows: $rows of 200000"
[ "$rows" = 200000 ]
