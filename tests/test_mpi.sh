#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab-mpi: any number of processes and threads learns what tetralab learns; a process that dies ends the run
# with a sentence, and the run can go on; a program of another version is refused.
# Usage: tests/test_mpi.sh PROGRAM SOURCE_FOLDER     tetralab-mpi is beside PROGRAM
set -u
. "$2/tests/mpi.sh" "$1"

# Who does the work does not change what is learned: games, with and without a race, and splitting.
learn_everywhere() {
    local name=$1
    shift
    local options=(learn --seed 5 --board 10x10 --name same "$@")
    "$program" "${options[@]}" --jobs 1 --out "$name-1" >/dev/null 2>"$name.err" || fail "$name, one thread: $(cat "$name.err")"
    "$program" "${options[@]}" --jobs 2 --out "$name-2" >/dev/null 2>"$name.err" || fail "$name, two threads: $(cat "$name.err")"
    cluster 3 "${options[@]}" --out "$name-3" >/dev/null 2>"$name.err" || fail "$name, three processes: $(cat "$name.err")"
    same "$name, one thread and two" "$name-1/best.json" "$name-2/best.json"
    same "$name, one thread and three processes" "$name-1/best.json" "$name-3/best.json"
}
learn_everywhere games --objective games --pieces hard --games 5 --generations 8 --runs 2
learn_everywhere race --objective games --pieces hard --race hoeffding --race-bounds 0,50 --race-most 9 --generations 6
learn_everywhere splitting --trials 100 --generations 6
learn_everywhere pieces --trials 100 --budget-pieces 200k

# Two processes of two threads; one process without mpirun.
options=(learn --seed 5 --board 10x10 --name same --trials 100 --generations 6)
cluster 2 "${options[@]}" --jobs 2 --out two-by-two >/dev/null 2>err || fail "Two processes of two threads: $(cat err)"
same "two processes of two threads" splitting-1/best.json two-by-two/best.json
"$parallel" "${options[@]}" --out alone >/dev/null 2>err || fail "Without mpirun: $(cat err)"
same "without mpirun" splitting-1/best.json alone/best.json

# evaluate: the same answers but for the time they took
for i in 1 2 3 4 5 6 7 8; do
    echo "{\"id\": $i, \"weights\": [-1, $i, -1, -1, -4, -1, -0.$i, -1]}"
done >vectors
options=(evaluate --features du --board 10x10 --objective games --games 3 --ordered)
"$program" "${options[@]}" --jobs 1 <vectors 2>err | sed 's/,"seconds":.*//' >threads.out
cluster 3 "${options[@]}" <vectors 2>err | sed 's/,"seconds":.*//' >processes.out
says '"id":8' threads.out
same "evaluate" threads.out processes.out

# A process dies: mpirun fails, the sentence says who, and the run goes on to the same end.
options=(learn --seed 7 --board 10x12 --name same --trials 200 --runs 2 --generations 30)
"$program" "${options[@]}" --out whole >/dev/null 2>err || fail "The whole run: $(cat err)"
mpirun --oversubscribe -n 3 "$parallel" "${options[@]}" --out broken >/dev/null 2>err &
starter=$!
for ((i = 0; i < 600; i++)); do
    [[ $(cat broken/journal.jsonl 2>/dev/null | wc -l) -ge 5 ]] && break
    sleep 0.05
done
kill_rank 2 "$starter"
wait "$starter" && fail "mpirun succeeds though a process was killed."
says "tetralab-mpi: process 2 on $(uname -n) does not answer any more" err
says "resume with 'learn --resume'" err
[[ $(wc -l <broken/journal.jsonl) -lt 60 ]] || fail "The run was over before the process was killed."
cluster 2 learn --resume broken >/dev/null 2>err || fail "Going on: $(cat err)"
same "after a process has died" whole/best.json broken/best.json

# Mistakes
sed 's/tetralab-mpi \([0-9.]*\)\.[0-9]/tetralab-mpi \1.x/' "$parallel" >other && chmod +x other
timeout 60 mpirun --oversubscribe -n 1 "$parallel" --version : -n 1 ./other >out 2>err &&
    fail "A program of another version takes part."
says "; start the same program everywhere." err
PMI_SIZE=4 "$parallel" --version >out 2>err && fail "Processes that do not know each other work side by side."
says "these processes do not find each other" err
cluster 2 perft --depth 1 >out 2>err || fail "perft: $(cat err)"
says "this command has run in process 0 alone" err
cluster 2 learn --nonsense >out 2>err && fail "A wrong option is accepted."
says "unknown option --nonsense" err

echo "$checks checks, $failures mistakes."
[[ $failures == 0 ]]
