#!/bin/sh
# Start a PostgreSQL of the tests' own, on loopback, and print its address. Usage: start_postgres.sh FOLDER
# FOLDER holds the cluster, and a second call for it finds the server running. stop_postgres.sh FOLDER ends it.
set -eu
folder="$1"
tools="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)"
[ -n "$tools" ] || { echo "error: there is no PostgreSQL server (Debian: apt-get install postgresql)" >&2; exit 2; }

# The server refuses to run as root.
as_owner() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --init-groups "$@"; else "$@"; fi; }

if [ ! -e "$folder/data/PG_VERSION" ]; then
    mkdir -p "$folder/data"
    [ "$(id -u)" != 0 ] || chown -R postgres: "$folder"
    as_owner "$tools/initdb" -D "$folder/data" -U steelyard -A trust -E UTF8 --no-locale >"$folder/initdb.log" 2>&1
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    cat >>"$folder/data/postgresql.conf" <<SETTINGS
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = ''
max_connections = 200
shared_buffers = 64MB
SETTINGS
fi
port="$(sed -n 's/^port = //p' "$folder/data/postgresql.conf" | tail -n 1)"
if ! as_owner "$tools/pg_ctl" -D "$folder/data" status >/dev/null 2>&1; then
    as_owner "$tools/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w -t 60 start >/dev/null
    as_owner "$tools/createdb" -h 127.0.0.1 -p "$port" -U steelyard steelyard >/dev/null 2>&1 || true
fi
echo "postgresql://steelyard@127.0.0.1:$port/steelyard"
