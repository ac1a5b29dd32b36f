#!/bin/sh
# Make a virtual environment. Usage: make_venv.sh FOLDER [VERSION]
# One that is there and works is kept, so that `make` run twice costs nothing.
set -eu
here="$(dirname "$0")"
folder="$1"
if "$folder/bin/python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
    exit 0
fi
python="$(sh "$here/find_python.sh" ${2:-})"

if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    # Debian packs these two apart from Python itself.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "python$version-venv"
    else
        echo "error: $python cannot make virtual environments: its modules venv and ensurepip are missing" >&2
        echo "       on Debian or Ubuntu: sudo apt-get install python$version-venv" >&2
        exit 1
    fi
fi
echo "making $folder with $("$python" --version)"
"$python" -m venv --clear "$folder"
