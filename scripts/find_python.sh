#!/bin/sh
# Print a Python that can make a virtual environment. Usage: find_python.sh [VERSION]
# With VERSION (as in 3.12) only that one will do, and finding none is silent. Without it, anything from 3.11 will do.
# A name on PATH may be a shim that does not run, so every candidate is started before it is believed.
set -eu
wanted="${1:-}"

suits() {
    "$1" - "$wanted" <<'PYTHON' >/dev/null 2>&1
import sys
want, have = sys.argv[1], "%d.%d" % sys.version_info[:2]
sys.exit(not (have == want if want else sys.version_info >= (3, 11)))
PYTHON
}

path_of() { "$1" -c 'import sys; print(sys.executable)'; } # behind a shim stands the real one

has_ensurepip() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

candidates() {
    if [ -n "$wanted" ]; then
        echo "python$wanted"
        ls -d "${PYENV_ROOT:-$HOME/.pyenv}/versions/$wanted".*/bin/python3 2>/dev/null || true
        return
    fi
    [ -z "${PYTHON:-}" ] || echo "$PYTHON"
    # The versions that are tested come first; a newer one may lack wheels.
    printf '%s\n' python3.12 python3.13 python3.11 python3 python
    ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[1-9].*/bin/python3 2>/dev/null || true
}

second_best=""
for candidate in $(candidates); do
    suits "$candidate" || continue
    if has_ensurepip "$candidate"; then
        path_of "$candidate"
        exit 0
    fi
    second_best="${second_best:-$(path_of "$candidate")}"
done
if [ -n "$second_best" ]; then
    echo "$second_best"
    exit 0
fi
[ -n "$wanted" ] || echo "error: no Python 3.11 or newer was found; install one, or name it: make PYTHON=/path/to/python3" >&2
exit 1
