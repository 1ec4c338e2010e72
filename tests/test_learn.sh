#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab learn from outside: every method runs, and threads learn what one thread learns. What was stopped goes on:
# tests/test_resume.sh.
# Usage: tests/test_learn.sh PROGRAM SOURCE_FOLDER
set -u
. "$(dirname "$0")/learning.sh"

# ---------------------------------------------------------------------------------------------------
# Every method, on one thread and on two

gnuplot=$(command -v gnuplot)
while read -r name generations options; do
    # shellcheck disable=SC2086
    for jobs in 1 2; do
        check "$name, --jobs $jobs" learn "${small[@]}" $options --generations "$generations" --jobs $jobs --out "$name-$jobs"
    done
    check "$name: two threads learn something else than one" same_run "$name-1" "$name-2"
    [[ $gnuplot ]] && check "$name: a picture" grep -q '</svg>' "$name-1/curves.svg"
    check "$name: the player does not play" plays "$name-1"
done <<'METHODS'
games     20 --objective games --games 5 --runs 3
splitting 20 --trials 100 --runs 2
mix       10 --trials 100 --mix bcts,0.2*dellacherie
like       3 --trials 100 --mix bcts --like bcts-ahead --population 4
sphere    12 --trials 100 --sphere no --constants classic --start zero --answer last
race      12 --objective games --race tetris --race-bounds 0,60
nce        8 --method nce --features bertsekas --noise decreasing --objective games
ga        10 --method ga --features all --choose-features --objective games --games 3 --population 20
remember  10 --method ga --objective games --games 3 --population 20 --revisit remember --selection sigma
pso       10 --method pso --features langenhoven --rating network --hidden 2 --trials 100
two-piece  3 --player two-piece --features boehm --rating displaced --objective games --games 2 --max-pieces 50
METHODS
[[ $gnuplot ]] || echo "(gnuplot is missing: no pictures to look at)"

# It learns: from a random vector to a player of some hundred lines where a random one makes two.
check 'learning' learn --board 10x8 --generations 30 --trials 200 --out learns
mean=$("$program" play learns/best.json --board 10x8 --games 200 --json - | sed -n 's/.*"mean_lines": \([0-9]*\).*/\1/p')
check "The player learned on 10x8 makes only $mean lines" [ "${mean:-0}" -ge 200 ]

echo "$checks checks, $failures mistakes."
[[ $failures == 0 ]]
