#!/bin/sh
# Have a Docker daemon that answers, and print its address (for DOCKER_HOST). Usage: start_docker.sh
# One that answers already is used. Otherwise one of our own is started, with no network and apart from any other:
# its socket, its images and its process number are in folders of their own, and stop_docker.sh ends it.
set -eu
here="$(dirname "$0")"
. "$here/docker_place.sh"

answers() { timeout 10 docker --host "$1" version --format '{{.Server.Version}}' >/dev/null 2>&1; }

fail() {
    echo "error: $1" >&2
    exit 1
}

for address in "${DOCKER_HOST:-}" "$docker_address" "unix:///var/run/docker.sock"; do
    if [ -n "$address" ] && answers "$address"; then
        echo "$address"
        exit 0
    fi
done
[ -z "${DOCKER_HOST:-}" ] || fail "no Docker daemon answers at DOCKER_HOST ($DOCKER_HOST)"
[ "$(id -u)" = 0 ] || fail "no Docker daemon answers, and only root can start one: start it, or set DOCKER_HOST"
command -v dockerd >/dev/null || fail "there is no dockerd: install it (Debian: apt-get install docker.io)"

mkdir -p "$docker_run" "$docker_data"
chmod 700 "$docker_run" "$docker_data"

start_with() { # overlay2 is quick, vfs works on every file system
    rm -f "$docker_run/docker.pid" "$docker_run/docker.sock"
    setsid dockerd --iptables=false --ip6tables=false --bridge=none --storage-driver "$1" \
        --data-root "$docker_data" --exec-root "$docker_run/exec" --pidfile "$docker_run/docker.pid" \
        --host "$docker_address" </dev/null >"$docker_run/log" 2>&1 &
    child=$!
    for _ in $(seq 150); do
        kill -0 "$child" 2>/dev/null || return 1
        if answers "$docker_address"; then
            return 0
        fi
        sleep 0.2
    done
    kill "$child" 2>/dev/null || true
    return 1
}

# Two at once would end each other: the second waits, and finds the daemon of the first.
exec 9>"$docker_run/lock"
flock -w 90 9 || fail "another start of the daemon does not come to an end"
if answers "$docker_address" || start_with overlay2 9>&- || start_with vfs 9>&-; then
    echo "$docker_address"
    exit 0
fi
tail -n 5 "$docker_run/log" >&2
fail "dockerd does not start; its last lines are above"
