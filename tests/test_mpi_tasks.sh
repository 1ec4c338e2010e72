#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab-mpi: play, measure and compare have the same results to the last digit on any number of processes, with
# whatever kernels; the journal of a measurement whose process died is resumed on another number of processes.
# Usage: tests/test_mpi_tasks.sh PROGRAM SOURCE_FOLDER     tetralab-mpi is beside PROGRAM
set -u
. "$2/tests/mpi.sh" "$1"

# timeless FILE: a result as JSON without what the clock said and the kernel
timeless() {
    grep -vE '"(seconds|pieces_per_second|kernel)":' "$1"
}

# everywhere NAME OPTIONS...: one thread, then processes, of which process 0 has another kernel than the others
everywhere() {
    local name=$1 processes
    shift
    "$program" "$@" --jobs 1 --json "$name.json" >/dev/null 2>err || fail "$name: $(cat err)"
    timeless "$name.json" >"$name"
    for processes in ${numbers:-1 2 3 5}; do
        cluster "$processes" "$@" --jobs 1 --kernel plain --json there.json >/dev/null 2>err ||
            fail "$name, $processes processes: $(cat err)"
        timeless there.json >there
        same "$name, $processes processes" "$name" there
    done
    ! grep -q "process 0 alone" err || fail "$name ran in process 0 alone."
}
everywhere play play bcts --board 8x8 --games 300 --show
numbers="5" everywhere limited play bcts --board 8x10 --until 25% --max-pieces 1000
everywhere splitting measure bcts --board 10x10 --method splitting --precision 25%
numbers="3" everywhere games measure dellacherie --board 6x10 --method games --precision 10%
numbers="2 5" everywhere test compare bcts dellacherie --board 8x10 --sprt 1,0.9
numbers="2" everywhere compare compare bcts dellacherie --board 8x8 --precision 20%

# A process dies in the middle of a measurement; the journal goes on with other numbers of processes. Process 0 says so
# if mpirun's second is enough for it, which on a busy machine it may not be: tests/test_mpi.sh looks at that.
options=(measure bcts --board 10x14 --method splitting --trials 300 --jobs 1)
"$program" "${options[@]}" --precision 6% --journal whole.jsonl >/dev/null 2>err || fail "The whole measurement: $(cat err)"
mpirun --oversubscribe -n 3 "$parallel" "${options[@]}" --precision 0.1% --journal broken.jsonl >/dev/null 2>err &
starter=$!
for ((i = 0; i < 600; i++)); do
    [[ $(cat broken.jsonl 2>/dev/null | wc -l) -ge 20 ]] && break
    sleep 0.02
done
kill_rank 2 "$starter"
wait "$starter" && fail "mpirun succeeds though a process was killed."
cluster 2 measure --resume broken.jsonl --precision 6% >/dev/null 2>err || fail "Resuming: $(cat err)"
for journal in whole broken; do
    grep '"kind": *"result"' $journal.jsonl | tail -n 1 | sed 's/"id": *"[^"]*"//; s/"seconds": *[^,]*,//' >$journal
done
says mean_lines whole
same "after a process has died" whole broken

echo "$checks checks, $failures mistakes."
[[ $failures == 0 ]]
