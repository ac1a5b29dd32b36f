#!/bin/sh
# End the daemon that start_docker.sh started, if there is one. Its images stay for the next time; --clean removes them.
set -eu
. "$(dirname "$0")/docker_place.sh"
if [ -s "$docker_run/docker.pid" ]; then
    daemon="$(cat "$docker_run/docker.pid")"
    # A number may have been given to another process since: only a dockerd is ended.
    if [ "$(cat "/proc/$daemon/comm" 2>/dev/null)" = dockerd ]; then
        kill "$daemon"
        for _ in $(seq 100); do
            kill -0 "$daemon" 2>/dev/null || break
            sleep 0.1
        done
    fi
fi
if [ "${1:-}" = --clean ]; then
    rm -rf "$docker_data" "$docker_run"
fi
