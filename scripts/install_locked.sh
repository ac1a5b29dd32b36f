#!/bin/sh
# Install this package in a virtual environment, with the locked version of everything that it needs.
# Usage: install_locked.sh FOLDER LOCK, where LOCK is demo or dev (requirements/LOCK.txt)
set -eu
root="$(dirname "$0")/.."
folder="$1"
lock="$2"
install() { "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }

# First pip itself and the build backends: what has no wheel is then built by locked versions too.
install --require-hashes -r "$root/requirements/build.txt"
install --require-hashes --no-build-isolation -r "$root/requirements/$lock.txt"
install --no-deps --no-build-isolation -e "$root"
