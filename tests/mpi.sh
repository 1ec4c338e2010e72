# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of tetralab-mpi have in common: sourced with PROGRAM as the argument; tetralab-mpi is beside it.
program=$1
parallel=$(dirname "$program")/tetralab-mpi
SKIPPED=77
if [[ ! -x $parallel ]] || ! command -v mpirun >/dev/null; then
    echo "Skipped: tetralab-mpi was not built, or there is no mpirun."
    exit $SKIPPED
fi
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
# Open MPI wants to be asked twice before it runs as root; its files may not go to a folder with a long name.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=/tmp LC_ALL=C
checks=0 failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

cluster() {
    local processes=$1
    shift
    timeout 60 mpirun --oversubscribe -n "$processes" "$parallel" "$@"
}

# same WHAT FILE FILE
same() {
    checks=$((checks + 1))
    cmp "$2" "$3" || fail "$1: not the same."
}

# says TEXT FILE
says() {
    checks=$((checks + 1))
    grep -qF -e "$1" "$2" || fail "This was not said: $1"$'\n'"$(head -20 "$2")"
}

# kill_rank RANK STARTER: the process of that rank, of the mpirun with this number
kill_rank() {
    local process
    for process in $(pgrep -P "$2"); do
        tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" && kill -9 "$process"
    done
}
