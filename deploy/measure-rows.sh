#!/usr/bin/env bash
# Measures the disk and the log of PostgreSQL for the followers of one match: measure-rows.sh SCORE-SERVER [DEVICES].
set -euo pipefail

program=$(realpath "$1") devices=${2:-1000000}
# PostgreSQL refuses to run as root.
if [ "$(id -u)" -eq 0 ]; then exec runuser -u postgres -- "$(realpath "$0")" "$program" "$devices"; fi

folder=$(mktemp -d /tmp/score-rows-XXXXXX)
export PATH=/usr/lib/postgresql/15/bin:$PATH PGHOST=$folder PGUSER=postgres PGDATABASE=postgres PGDATA=$folder/data
trap 'pg_ctl stop -m immediate >/dev/null 2>&1 || true; rm -r -- "$folder"' EXIT
cd "$folder"
initdb --auth=trust --username=postgres --encoding=UTF8 >/dev/null
cat >>"$PGDATA/postgresql.conf" <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$folder'
max_wal_size = 4GB
SETTINGS
pg_ctl start --wait --log="$folder/log" >/dev/null
DATABASE_URL="postgresql:///postgres?host=$folder&user=postgres" "$program" migrate >/dev/null
query() { psql --no-psqlrc --quiet --tuples-only --no-align --field-separator=' ' --command="$1"; }

# One table: rows with random ids and tokens, as phones register them; then its bytes for each device, and the log that it wrote.
fill() {
    local table=$1 statement=$2 before
    query checkpoint
    before=$(query 'select pg_current_wal_insert_lsn()')
    query "$statement"
    query "vacuum analyze $table"
    query "select '$table', count(*), sum(pg_table_size(relid)) / $devices, sum(pg_indexes_size(relid)) / $devices,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '$before')::bigint / $devices
        from (select relid from pg_partition_tree('$table') union select '$table'::regclass) part(relid)" |
        awk '{printf "%-12s %8.0f %8.0f %8.0f\n", $1, $3, $4, $5}'
}

query "create table phone as select gen_random_uuid() as id, (random() * 1023)::smallint as bucket,
    sha256(random()::text::bytea) || sha256(random()::text::bytea) || sha256(random()::text::bytea) as bytes
    from generate_series(1, $devices)"
echo "bytes a device table  indexes      log"
fill device "insert into device (device_id, bucket, env, abilities, credential_hash, bundle_id, profile, alert_token, start_token)
    select id, bucket, 1, 15, substr(bytes, 1, 32), 'com.example.app',
        '{\"appBuild\": \"120\", \"osVersion\": \"18.5\", \"timeZone\": \"Asia/Kolkata\"}', substr(bytes, 1, 32), substr(bytes, 1, 80)
    from phone"
fill token_owner "insert into token_owner (device_id, digest)
    select id, substr(bytes, 1, 16) from phone union all select id, substr(bytes, 17, 16) from phone"
fill follow "insert into follow (device_id, bucket, match_id) select id, bucket, 'final' from phone"
fill activity "insert into activity (device_id, started_at, token_at, bucket, env, match_id, activity_id, token)
    select id, now(), now(), bucket, 1, 'final', gen_random_uuid()::text, substr(bytes, 1, 80) from phone"
