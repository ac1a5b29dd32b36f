#!/bin/sh
# Have what the tests need from the system: the sandbox with the languages of its tasks, a browser for the pages, and a database server.
# Usage: system_packages.sh
# Whatever is there already is left alone; what is missing is installed where that can be done (Debian and its kin, as
# root), quietly. Elsewhere one line says what is missing, and the tests that need it are skipped.
set -eu
PATH="$PATH:/usr/sbin:/sbin"

needed() { # the file or command that is needed, and the packages that may bring it, the first that exists
    cat <<'TABLE'
bwrap bubblewrap
/usr/bin/python3 python3
dockerd docker.io
docker docker-cli docker.io
setpriv util-linux
flock util-linux
ldd libc-bin
ps procps
gcc gcc
g++ g++
/usr/include/stdio.h libc6-dev
perl perl
node nodejs
chromium chromium
/usr/lib/postgresql postgresql
/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf fonts-liberation
TABLE
}

exists() { apt-cache show "$1" >/dev/null 2>&1; }

present() {
    case "$1" in
        /*) [ -e "$1" ] ;;
        *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

missing() { # the lines of the table whose file or command is not there
    needed | while read -r wanted packages; do
        present "$wanted" || echo "$wanted $packages"
    done
}

lacking="$(missing)"
[ -n "$lacking" ] || exit 0

names="$(echo "$lacking" | cut -d' ' -f1 | tr '\n' ' ')"
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    packages="$(echo "$lacking" | awk '{print $NF}' | sort -u | tr '\n' ' ')"
    echo "missing: ${names% }; tests that need them are skipped (Debian: apt-get install ${packages% })" >&2
    exit 0
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >/dev/null
chosen=""
while read -r _ candidates; do
    for package in $candidates; do
        if exists "$package"; then
            chosen="$chosen $package"
            break
        fi
    done
done <<LACKING
$lacking
LACKING

# A package may start a service when it is installed, and a machine without an init system has no place for one.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    trap 'rm -f "$policy"' EXIT
fi
log="$(mktemp)"
# shellcheck disable=SC2086 # a list of names
if ! apt-get install -y -qq --no-install-recommends $chosen >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    echo "error: apt-get could not install$chosen" >&2
    exit 1
fi
rm -f "$log"
still="$(missing | cut -d' ' -f1 | tr '\n' ' ')"
[ -z "$still" ] || { echo "error: still missing: ${still% }" >&2; exit 1; }
