#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab evaluate as another program sees it: answers, their order, mistakes, many at once, interrupts.
# Usage: tests/test_evaluate.sh PROGRAM SOURCE_FOLDER
set -u
. "$(dirname "$0")/checks.sh"
program=$1
S=$2
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT

bcts='[-12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087]'
zero='[0,0,0,0,0,0,0,0]'
evaluate() { "$program" evaluate --board 8x8 --pieces hard "$@"; }
without_seconds() { sed -E 's/,"seconds":[^,}]*//'; }

# The samples are the games that `tetralab play` plays.
"$program" play bcts --board 8x8 --pieces hard --seed 5 --games 12 --json "$T/play" >/dev/null
scores=$(tr -d ' \n' <"$T/play" | grep -oE '"scores":\[[^]]*\]' | cut -d: -f2)
evaluate --objective games --games 12 --seed 5 <<<"$bcts" >"$T/out"
check 'exit 0 for a right line' same $? 0
check 'samples are games' grep -qF "\"samples\":$scores" "$T/out"
check 'one line per answer' same "$(wc -l <"$T/out")" 1
evaluate --objective games <<<"{\"weights\": $bcts, \"seed\": 5, \"games\": 4, \"first\": 3}" >"$T/out"
check 'first skips games' grep -qF "\"samples\":[$(tr -d '[]' <<<"$scores" | cut -d, -f4-7)]" "$T/out"

# Many in flight: the same answers on any number of threads, in the order of the requests if asked for.
for k in $(seq 0 199); do
    echo "{\"id\": $k, \"weights\": [$((k % 7 - 5)),$((k % 3)),-$((k % 5)),-$((k % 11)),-4,-1,0,-2], \"games\": $((k % 9 + 1))}"
done >"$T/requests"
evaluate --objective games --jobs 1 <"$T/requests" | without_seconds >"$T/one"
evaluate --objective games --jobs 3 --ordered <"$T/requests" | without_seconds >"$T/ordered"
evaluate --objective games --jobs 7 <"$T/requests" | without_seconds | sort >"$T/seven"
check 'every request has its answer' same "$(wc -l <"$T/one")" 200
check '--ordered keeps the order' same "$(grep -oE '^\{"id":[0-9]+' "$T/ordered" | cut -d: -f2 | xargs)" "$(seq 0 199 | xargs)"
check 'threads change nothing' cmp -s <(sort "$T/one") "$T/seven"
check 'order changes nothing' cmp -s <(sort "$T/ordered") "$T/seven"
evaluate --trials 100 --jobs 1 <<<"$bcts" | without_seconds >"$T/one"
evaluate --trials 100 --jobs 4 <<<"$bcts" | without_seconds >"$T/four"
check 'splitting: threads change nothing' cmp -s "$T/one" "$T/four"

# Mistakes are answered and the run goes on.
printf '%s\n' "[1,2]" "" "$zero" 'nonsense' '{"id": "x", "weights": 5}' "$zero" >"$T/mixed"
evaluate --objective games --ordered <"$T/mixed" >"$T/out"
check 'exit 1 after a wrong line' same $? 1
check 'five answers' same "$(wc -l <"$T/out")" 5
check 'a wrong length' grep -qE '^\{"line":1,"error":"The vector has 2 numbers, but needs 8; ' "$T/out"
check 'the id of a wrong line' grep -qE '^\{"id":"x","line":5,"error":"' "$T/out"
check 'two scores' same "$(grep -c '"score":' "$T/out")" 2
{
    head -c 1100000 /dev/zero | tr '\0' '1'
    printf '\n%s' "$zero"
} | evaluate --objective games >"$T/out"
check 'a line that is too long is skipped' grep -qE '^\{"line":1,"error":"The line has more than 1048576 bytes' "$T/out"
check 'the last line needs no end' grep -qE '^\{"line":2,"score":' "$T/out"
head -c 300000 /dev/urandom | evaluate --objective games >"$T/out"
check 'noise gets errors' same $? 1
evaluate </dev/null >"$T/out"
check 'no input is no mistake' same "$? $(wc -c <"$T/out")" '0 0'
evaluate <<<"$zero" >/dev/full 2>"$T/err"
check 'a full disk is reported' grep -q 'cannot write the standard output' "$T/err"
"$program" evaluate <&- >"$T/out" 2>"$T/err"
check 'a closed input is reported' grep -q 'cannot read the standard input' "$T/err"

# A description names every number.
evaluate --features bertsekas --rating exponential <<<'{"describe": true, "id": 1}' >"$T/out"
check 'size' grep -qE '^\{"id":1,"line":1,"size":21,' "$T/out"
check 'labels' grep -qF '"column-heights[8]","column-differences[1]"' "$T/out"

# An answer comes while the input is still open: the next request may depend on it.
coproc EVALUATE { exec "$program" evaluate --objective games; }
for k in 1 2 3; do
    echo "{\"id\": $k, \"weights\": $zero}" >&"${EVALUATE[1]}"
    read -r -t 60 line <&"${EVALUATE[0]}"
    check "a conversation, $k" same "${line:0:8}" "{\"id\":$k,"
done
pid=$EVALUATE_PID
kill -INT "$pid"
wait "$pid"
check 'an interrupt while nothing is open ends it' same $? 0

# An interrupt ends it while a long game is under way: bcts would play for minutes.
mkfifo "$T/pipe"
"$program" evaluate --objective games --games 2 <"$T/pipe" >"$T/out" 2>"$T/err" &
pid=$!
exec 9>"$T/pipe"
printf '%s\n' "{\"describe\": true}" "$bcts" >&9
until grep -q size "$T/out"; do :; done
kill -INT $pid
wait $pid
check 'interrupted: exit 1' same $? 1
exec 9>&-

# The example in Python learns something.
if command -v python3 >/dev/null; then
    python3 "$S/examples/evaluate.py" "$(realpath "$program")" 8 >"$T/out" 2>&1
    check 'the example ends well' same $? 0
    check 'the example prints weights' grep -qE '^  rows-with-holes +-?0\.[0-9]+$' "$T/out"
fi

echo "$checks checks, $failures failed."
[[ $failures == 0 ]]
