#!/bin/sh
# End the PostgreSQL that start_postgres.sh started in FOLDER, and remove the folder. Usage: stop_postgres.sh FOLDER
set -eu
folder="$1"
tools="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)"
as_owner() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --init-groups "$@"; else "$@"; fi; }
if [ -e "$folder/data/PG_VERSION" ]; then
    as_owner "$tools/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
fi
rm -rf "$folder"
