#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab watch as plain text, and in a terminal (tests/watch_terminal.py).
# Usage: tests/test_watch.sh PROGRAM SOURCE_FOLDER
set -u
. "$(dirname "$0")/checks.sh"
program=$(realpath "$1")
tests=$(realpath "$2")/tests
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
export LC_ALL=C.UTF-8
watch() { "$program" watch "$@" 2>"$T/err" </dev/null; }
fails() { # EXIT SENTENCE ARGUMENTS...
    local code=$1 sentence=$2
    shift 2
    watch "$@" >"$T/out"
    [[ $? == "$code" && ! -s $T/out ]] && grep -q -e "$sentence" "$T/err" || { cat "$T/out" "$T/err" && false; }
}

# Plain text, where there is no terminal.
watch bcts >"$T/plain"
check 'exit 0 without a terminal' same $? 0
check 'ten moves' same "$(grep -c '^ move ' "$T/plain")" 10
check 'from the first one on' same "$(grep '^ move ' "$T/plain" | head -1)" ' move 1 of 1'
check 'no control characters' same "$(tr -d '\n' <"$T/plain" | tr -dc '\001-\037\177' | wc -c)" 0
check 'no line is wider than 80' same "$(grep -cE '^.{81}' "$T/plain")" 0
check 'a later move' same "$(watch bcts --at 50 --frames 2 | grep '^ move ' | tr '\n' ,)" ' move 50 of 50, move 51 of 51,'
check 'the move is drawn' grep -q 'TTTT' <(watch bcts --pieces "$(printf T >letters && echo letters)")
check 'ASCII where nothing else is known' same "$(LC_ALL=C watch bcts | tr -d '\n\040-\176' | wc -c)" 0
check 'as wide and high as is said' grep -qE '^.{90}' <(COLUMNS=120 LINES=40 watch bcts --frames 1)
check 'the limit' grep -q 'move 7 of 7   the limit is reached' <(watch bcts --max-pieces 7)
check 'both have the same pieces' same "$(watch bcts dellacherie --at 9 --frames 1 | grep -c '^ bcts .* dellacherie ')" 1
check 'other games of the seed' same "$(watch bcts --game 3 --seed 5 --frames 1 | head -1 | grep -o 'game 3, seed 5')" \
    'game 3, seed 5'

# The moves are those of play; records are those of play.
"$program" play bcts --board 6x6 --games 1 --record game >/dev/null
watch bcts --board 6x6 --frames 100 --record again >/dev/null
check 'the same game as in play' cmp -s game again
watch --replay game --frames 100 >"$T/replayed"
check 'a record to its end' same "$(grep -c '^ move .* of 21' "$T/replayed")" 21
check 'and its end' grep -q 'move 21 of 21   the game is over' "$T/replayed"
check 'nobody judges it' grep -q 'No strategy was named' "$T/replayed"
check 'or somebody does' grep -q 'by dellacherie' <(watch dellacherie --replay game --at 5 --frames 1)
"$program" versus bcts fahey --board 6x12 --games 1 --record match >/dev/null
watch bcts fahey --versus --board 6x12 --frames 100000 --record also >/dev/null
check 'the same match as in versus' cmp -s match also
check 'attack rows' grep -q '▒▒' <(watch --replay match --frames 1000)
watch bcts --board 6x6 --frames 100 --record - >"$T/out"
check 'a record instead of pages' cmp -s game "$T/out"

# Mistakes
check 'nobody' fails 2 'name a strategy, such as bcts, or human'
check 'a misspelt name' fails 2 'did you mean "bcts"' bctss
check 'too many' fails 2 'at most 8 can be watched' bcts bcts bcts bcts bcts bcts bcts bcts bcts
check 'a match of one' fails 2 'versus is for two players' bcts --versus
check 'a record of several games' fails 2 'record writes one game or match' bcts fahey --record x
check 'a human needs a terminal' fails 2 'a human plays in a terminal' human
check 'two humans' fails 2 'one keyboard' human human
check 'a record has its own rules' fails 2 'goes without --board' --replay game --board 6x6
check 'no record' fails 1 'cannot read .*none' --replay none
head -c 100 game >cut
check 'a record that was cut off' fails 1 'cut:' --replay cut
watch bcts --frames 1000 >/dev/full
check 'a full disk is reported' grep -q 'cannot write the standard output' "$T/err"

if ldd "$program" | grep -q ncurses; then
    check 'in a terminal' /usr/bin/python3 -B "$tests/watch_terminal.py" "$program" "$T"
else
    echo 'Built without ncurses: the terminal is not tried.'
fi
echo "$checks checks, $failures failed."
[[ $failures == 0 ]]
