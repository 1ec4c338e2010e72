#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab learn goes on where it was stopped: runs that were killed, interrupted or ran out of disk come to the same
# player and the same history; a run repeated or extended is the same; two programs cannot learn in one folder.
# Usage: tests/test_resume.sh PROGRAM SOURCE_FOLDER
set -u
. "$(dirname "$0")/learning.sh"

# ---------------------------------------------------------------------------------------------------
# Killed, interrupted, out of disk: the run goes on to the same end

long=(--board 10x8 --trials 100 --runs 2 --generations 40 --seed 9 --name same)
check 'the whole run' learn "${long[@]}" --out whole

lines_in() {
    [[ -f $1/journal.jsonl ]] && wc -l <"$1/journal.jsonl" || echo 0
}
# stop SIGNAL FOLDER LINES OPTIONS...: starts learning and sends the signal when the history has LINES lines. The
# run must not be over by then. Leaves the exit code in $code.
stop() {
    local signal=$1 folder=$2 lines=$3 pid
    shift 3
    "$program" learn "$@" >out 2>err &
    pid=$!
    until [[ $(lines_in "$folder") -ge $lines ]] || ! kill -0 $pid 2>/dev/null; do :; done
    check "The run was over before SIG$signal could come" kill -"$signal" $pid
    wait $pid 2>/dev/null
    code=$?
    check "The run ended in spite of SIG$signal" [ "$(lines_in "$folder")" -lt 80 ]
}

stop KILL killed 1 "${long[@]}" --out killed
for lines in 7 13 20 27 34 45; do
    stop KILL killed $lines --resume killed --jobs $((lines % 2 + 1))
done
check 'going on after kill -9' learn --resume killed
check 'a run that was killed seven times learns something else' same_run whole killed

# Ctrl-C, and what batch systems send.
interrupted() { # SIGNAL
    check "SIG$1: exit code $code instead of 1" [ "$code" = 1 ]
    says "interrupted; resume with 'tetralab learn --resume interrupted'."
    check "SIG$1: no player" plays interrupted
}
stop INT interrupted 10 "${long[@]}" --out interrupted
interrupted INT
stop TERM interrupted 30 --resume interrupted
interrupted TERM
check 'going on after interrupts' learn --resume interrupted
check 'a run that was interrupted twice learns something else' same_run whole interrupted

# A file that may not grow is a full disk for everybody; a small file system for root.
(
    trap '' XFSZ
    ulimit -f 16
    exits 1 learn "${long[@]}" --out full
)
check 'no room for the history: exit code 1' [ $? = 0 ]
check 'no room for the history: one sentence' one_sentence
says 'cannot write '
check 'going on when there is room again' learn --resume full
check 'a run that found no room learns something else' same_run whole full
mkdir small
if mount -t tmpfs -o size=32k none small 2>/dev/null; then
    check 'a full disk: exit code 1' exits 1 learn "${long[@]}" --out small/run
    check 'a full disk: one sentence' one_sentence
    says 'cannot write '
    mount -o remount,size=4m small
    check 'going on when the disk has room again' learn --resume small/run
    check 'a run that filled the disk learns something else' same_run whole small/run
    umount small
else
    echo "(a full file system was not tried: only root can make a small one)"
fi

# ---------------------------------------------------------------------------------------------------
# Repeated, extended, used by two

check 'repeating' learn --repeat whole --out repeated
check 'a repeated run learns something else' same_run whole repeated
check 'half a run' learn "${long[@]/40/20}" --out half
check 'going beyond its end' learn --resume half --generations 40
check 'the new end is kept' grep -q '"generations": 40' half/run.json
check 'a run of nce from a known player' learn --method nce --start dellacherie --features dellacherie \
    --objective games --board 6x8 --population 10 --sigma 1 --generations 2 --out known
check 'repeating it' learn --repeat known --out known2
check 'a known start is not repeated' cmp known/best.json known2/best.json
check 'a run that was extended learns something else' same_player whole half
check 'a run with a budget of pieces' learn "${small[@]}" --trials 100 --budget-pieces 100k --out budget
check 'its end is kept' grep -q '"next_pieces":1[0-9]\{5\},' budget/checkpoint-1.json
cp budget/checkpoint-1.json ended.json
check 'its end' learn --resume budget --json budget.json
check 'it is not played for again' cmp budget/checkpoint-1.json ended.json
check 'its end is said' grep -q 'Another generation would take more than 100,000 pieces' budget.json
check 'half of it' learn "${small[@]}" --trials 100 --budget-pieces 50k --out half-budget
check 'the other half' learn --resume half-budget --budget-pieces 100k
check 'a budget of two halves learns something else' same_player budget half-budget
check 'a budget below one generation' exits 1 learn "${small[@]}" --trials 100 --budget-pieces 10 --out poor
check 'it is one sentence' one_sentence
says 'more than the budget of 10: give more --budget-pieces'
check 'going on with more' learn --resume poor --budget-pieces 100k
check 'the budget raised learns something else' same_player budget poor
# What follows from an option goes by what was given: a tenth of this population, not of the usual one.
check 'a small population of nce' learn --method nce --noise decreasing --objective games --games 1 --board 6x8 \
    --population 30 --generations 1 --out few
check 'its parents' grep -q '"parents": 3,' few/run.json
check 'its noise' grep -q '"level": 5.0,' few/run.json

# A run that is at its end says the same of itself when it is resumed.
curves_of() {
    sed -n 's/.*"curve": *\([^,}]*\).*/\1/p' "$1"
}
check 'a short run' learn "${small[@]}" --method pso --objective games --games 2 --generations 3 --runs 2 --out ended \
    --json ended.json
check 'resuming it' learn --resume ended --json resumed.json
check 'its last scores are known no more' cmp <(curves_of ended.json) <(curves_of resumed.json)
check 'it has curves' [ "$(curves_of ended.json | grep -c '^[0-9.]*$')" = 2 ]

# A checkpoint of another seed, and what is left out of a history.
check 'another seed' learn "${small[@]/3/4}" --method pso --objective games --games 2 --generations 2 --runs 2 --out other
cp -r ended mixed
cp other/checkpoint-2.json mixed/
check 'a checkpoint of another seed: exit code 1' exits 1 learn --resume mixed
check 'a checkpoint of another seed: one sentence' one_sentence
says 'mixed/checkpoint-2.json: It belongs to a run with the seed 4, not 3. Remove this file to begin run 2 anew.'
check 'the history stays as it was' same_run ended mixed
echo '{"run":1' >>ended/journal.jsonl
check 'resuming with a damaged line' learn --resume ended
says '1 line of ended/journal.jsonl was damaged or beyond the checkpoint and is left out; the file as it was is now ended/journal.jsonl.before.'
check 'the file as it was' grep -q '^{"run":1$' ended/journal.jsonl.before

"$program" learn --board 10x10 --time 1h --out busy >/dev/null 2>&1 &
pid=$!
until [[ $(lines_in busy) -ge 1 ]] || ! kill -0 $pid 2>/dev/null; do :; done
check 'a second program in the folder of a run: exit code 1' exits 1 learn --resume busy
check 'a second program in the folder of a run: one sentence' one_sentence
says 'busy'
check 'a new run in the folder of a run: exit code 1' exits 1 learn --out busy
kill -9 $pid
wait $pid 2>/dev/null
check 'the folder of a program that was killed is free' learn --resume busy --generations 1

echo "$checks checks, $failures mistakes."
[[ $failures == 0 ]]
