#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab reproduce from outside: rows, files, repetitions; interrupted runs go on; commands that fail; the report;
# every reproduction that docs and papers ask for is there; RESULTS.md is what the results say.
# Usage: tests/test_reproduce.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "$1")
source=$(realpath "$2")
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
export LC_ALL=C
checks=0 failures=0

# check WHAT COMMAND...: the command must succeed
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || {
        echo "$what."$'\n'"$(head -5 err 2>/dev/null)"
        failures=$((failures + 1))
    }
}
reproduce() {
    "$program" reproduce "$@" >out 2>err
}
exits() { # CODE COMMAND...
    local wanted=$1 code
    shift
    "$@"
    code=$?
    [[ $code == "$wanted" ]]
}
definition() { # NAME ROWS
    cat >"$1.json" <<END
{"paper": "Nobody 1999", "place": "table 1", "title": "A try", "text": "Text.",
 "scales": {"quick": {"games": "20", "runs": "3"}, "full": {"games": "40", "runs": "4"}},
 "as": {"board": "6x8"},
 "files": {"holes.json": {"name": "holes", "player": "greedy", "weights": {"holes": -1}}},
 "rows": [$2]}
END
}

definition small '
 {"row": "file", "run": "play {dir}/holes.json --board 6x8 --games {games}", "published": [0, 1000]},
 {"row": "repeated", "repeat": "{runs}", "run": "play {dir}/holes.json --board 6x8 --games {games} --seed {i}"},
 {"row": "learned", "run": ["learn --board 6x8 --objective games --games 2 --generations 3 --out {dir}/run",
  "play {dir}/run/best.json --board 6x8 --games {games}"], "published": 1e9, "games": 100,
  "as": {"learn": {"objective": "games", "games": 2, "generations": 3}}},
 {"row": "sigma", "run": "learn --board 6x8 --objective games --games 2 --generations 3 --out {dir}/run",
  "from": "{dir}/run/journal.jsonl", "value": "-1.sigma", "published": 1, "step": 1, "as": {"learn": {"objective": "games", "generations": 9}},
  "note": "A note."}'
check "A definition runs" reproduce small.json
check "Rows get verdicts" grep -qE '^file .* agrees$' out
check "Rows get verdicts" grep -qE '^learned .* differs$' out
check "Rows say why they cannot be compared" \
    grep -q 'sigma: not comparable: games 2 instead of 100, generations 3 instead of 9$' out
check "Results are kept" test "$(wc -l <reproduced/small.jsonl)" == 4
check "Rows are written as CSV" reproduce small.json --csv small.csv
check "The CSV has a line a row" test "$(wc -l <small.csv)" == 5
check "The CSV has both numbers, scale and verdict" \
    grep -qE '^small,learned,1000000000,[0-9.]+,[0-9.]+,quick,[0-9.]+,[0-9.]+,[0-9.]+,lines,1,1,differs,$' small.csv
check "The CSV has repetitions, and how many are wanted" grep -qE '^small,repeated,.*,quick,.*,3,3,ours alone,$' small.csv
check "CSV on the standard output" reproduce small.json --csv -
check "comes instead of the table" cmp -s out small.csv
direct=$("$program" play reproduced/small/quick/holes.json --board 6x8 --games 20 --json - 2>err | grep mean_lines)
kept=$(grep -o '"value":[0-9.]*' reproduced/small.jsonl | head -1)
check "A row is what its command gives" awk -v a="${direct//[^0-9.]/}" -v b="${kept//[^0-9.]/}" \
    'BEGIN { exit !(a > 0 && (a - b) ^ 2 < 1e-20 * a ^ 2) }'

# Wherever the folder is, and whoever listens.
mkdir 'a place'
check "The folder's path may have spaces" reproduce small.json --out 'a place/for results'
check "It gives the same results" test "$(grep -o '"value":[^,]*' 'a place/for results/small.jsonl')" == \
    "$(grep -o '"value":[^,]*' reproduced/small.jsonl)"
"$program" reproduce small.json --out unheard >&- 2>err
check "Results are kept when nobody can read the table" test "$(wc -l <unheard/small.jsonl)" == 4
"$program" reproduce small.json --out alone >&- <&- 2>err
check "Results are kept without standard input, too" test "$(wc -l <alone/small.jsonl)" == 4

# A definition of a stranger writes into its own folder and nowhere else, and does nothing to a terminal.
echo mine >mine
ln -s "$T" reproduced/elsewhere
for option in "--csv $T/mine" '--csv {dir}/../../../mine' "--journal $T/theirs" '--plot {dir}/../x.svg' '--csv mine' \
    "--csv {dir}/../../elsewhere/mine"; do
    definition stranger '{"row": "r", "run": "measure {dir}/holes.json --board 6x8 --precision 50% '"$option"'"}'
    rm -rf reproduced/stranger*
    check "'$option' is refused" exits 1 reproduce stranger.json
    check "The reason is told" grep -q 'is not below' err
    check "Nothing is written elsewhere" test "$(<mine)" == mine -a ! -e theirs -a ! -e reproduced/stranger/x.svg
done
for run in "learn --board 6x8 --objective games --games 1 --generations 1 --out $T/theirs" 'solve --board 4x4 --out theirs' \
    'learn --board 6x8 --objective games --games 1 --generations 1'; do
    definition stranger '{"row": "r", "run": "'"$run"'"}'
    check "'$run' is refused" exits 1 reproduce stranger.json
    check "Nothing is written elsewhere" test ! -e theirs -a ! -e theirs.json -a ! -e learned
done
definition stranger '{"row": "r", "run": "play {dir}/u.json --board 6x8 --games 1"}'
sed -i "s|\"files\": {|&\"u.json\": {\"player\": \"uct\", \"phases\": 5, \"database\": \"$T/theirs.db\"},|" stranger.json
check "A database elsewhere is refused" exits 1 reproduce stranger.json
check "It is not made" test ! -e theirs.db
definition stranger '{"row": "r\u001b[2J", "run": "play {dir}/holes.json --board 6x8 --games 2", "unit": "\u001b[31m",
    "note": "\u202e\u009b1m"}'
sed -i 's/"A try"/"A \\u001b[31mtry\\u0007"/; s/Nobody 1999/\\u001b]0;x/' stranger.json
check "Texts with control characters are shown" reproduce stranger.json
check "They are shown without them" test "$(LC_ALL=C tr -d '\n -~' <out)" == ''

# A second run does nothing; another scale has its own files.
cp reproduced/small.jsonl before
check "It can be run again" reproduce small.json
check "Nothing is run twice" cmp -s before reproduced/small.jsonl
check "The other scale runs" reproduce small.json --scale full
check "Four repetitions" grep -q '"repeats":4' reproduced/small.jsonl
check "Each scale has its folder" test -s reproduced/small/quick/run/run.json -a -s reproduced/small/full/run/run.json

# Interrupted while it learns: what is finished stays, the rest goes on to the same result.
definition long '
 {"row": "first", "run": "play bcts --board 6x8 --games 5"},
 {"row": "run", "run": "learn --board 6x8 --objective games --games 10 --curve 0 --generations 150 --out {dir}/run",
  "value": "weights.0", "unit": ""}'
reproduce long.json --out whole
"$program" reproduce long.json --out parts >out 2>parts.err &
pid=$!
until [[ -s parts/long/quick/run/journal.jsonl ]] || ! kill -0 $pid 2>/dev/null; do :; done
if kill -0 $pid 2>/dev/null && ! reproduce long.json --out parts; then
    check "Two programs do not share a folder" grep -q 'Another program is at work in parts/long/quick' err
fi
kill -TERM $pid 2>/dev/null
wait $pid
code=$?
if [[ $code != 0 ]]; then # else it was faster than the signal
    check "An interrupted run says how to go on" grep -q 'the same command resumes it' parts.err
    check "What was finished is kept" test "$(wc -l <parts/long.jsonl)" == 1
fi
check "It goes on" reproduce long.json --out parts
check "It comes to the same end" test "$(grep -o '"row":"run".*"ci95"' whole/long.jsonl)" == \
    "$(grep -o '"row":"run".*"ci95"' parts/long.jsonl)"

# Killed: the command ends by itself, and the next run goes on.
"$program" reproduce long.json --out killed >/dev/null 2>&1 &
pid=$!
until [[ -s killed/long/quick/run/journal.jsonl ]] || ! kill -0 $pid 2>/dev/null; do :; done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
flock killed/long/quick/.lock true # the command has ended
check "It goes on after it was killed" reproduce long.json --out killed
check "It comes to the same end" test "$(grep -o '"row":"run".*"ci95"' whole/long.jsonl)" == \
    "$(grep -o '"row":"run".*"ci95"' killed/long.jsonl)"

# What a row wants fresh is removed before it begins, but not before it goes on.
definition fresh '
 {"row": "solved", "run": "solve --board 4x4 --overflow strict --out {dir}/best.json",
  "fresh": "{dir}/best.checkpoint", "interval": "none"}'
mkdir -p fresh-new/fresh/quick
echo stale >fresh-new/fresh/quick/best.checkpoint
check "A stale file is removed" reproduce fresh.json --out fresh-new
output=$(basename fresh-new/fresh/quick/outputs/*.json)
mkdir -p fresh-old/fresh/quick/outputs
echo damaged >fresh-old/fresh/quick/best.checkpoint
touch "fresh-old/fresh/quick/outputs/$output.begun"
check "What an interrupted command left is used" exits 1 reproduce fresh.json --out fresh-old
check "What an interrupted command left is used" grep -q 'best.checkpoint' err

# Comparable or not: found from the settings, whatever came out.
definition compared '
 {"row": "as the paper", "run": "play {dir}/holes.json --board 6x8 --games {games} --seed 3", "published": 1, "step": 1},
 {"row": "another board", "run": "play {dir}/holes.json --board 6x7 --games 2", "published": 1, "step": 1},
 {"row": "measured otherwise", "run": "measure {dir}/holes.json --board 6x8 --method games --precision 40%", "published": 1, "step": 1},
 {"row": "not said", "run": "play {dir}/holes.json --board 6x7 --overflow strict --games 2", "published": 1, "step": 1,
  "as": {"board": null, "overflow": "strict"}, "open": "the time"},
 {"row": "scale", "run": "learn --board 6x8 --objective games --games 2 --curve 1 --generations 1 --runs {runs} --out {dir}/run",
  "value": "weights.0", "published": 1, "step": 1, "as": {"learn": {"objective": "games", "games": 2, "generations": 1, "runs": 4}}},
 {"row": "machine", "run": "play {dir}/holes.json --board 6x8 --games 3", "published": 1, "step": 1,
  "unlike": {"machine": "Another machine."}},
 {"row": "statement", "run": "play {dir}/holes.json --board 6x8 --games 5", "statement": "Many lines.", "holds": [1000000, null],
  "cause": "It is a bad player."},
 {"row": "by another", "ratio": ["as the paper", "statement"], "unit": "ratio", "statement": "About as many.", "holds": [0.1, 10]}'
check "Rows are compared" exits 1 reproduce compared.json
check "Rows with the same settings are unlike for the same reason" grep -q 'have the same settings: "unlike" must say the same of both' err
sed -i 's/--games 3"/--games 3", "value": "pieces_per_second"/' compared.json
check "Rows are compared" reproduce compared.json
check "Games and seeds do not change what is measured" grep -qE '^as the paper .*(agrees|differs)$' out
check "Splitting or games: the same is measured" grep -qE '^measured otherwise .*(agrees|differs)$' out
check "Another board is not comparable" grep -qx 'another board: not comparable: board 6x7 instead of 6x8' out
check "What is not said is not held against it" grep -qE '^not said .*(agrees|differs)$' out
check "What is not said is named" grep -qx 'not said: the paper does not say: board; the time' out
check "The scale is compared" grep -qx 'scale: not comparable: runs 3 instead of 4' out
check "The scale is compared" reproduce compared.json --scale full
check "The full scale is the paper's" grep -qE '^scale .*(agrees|differs)$' out
check "Machines differ" grep -qx 'machine: not comparable: Another machine.' out
check "Statements fail" grep -qE '^statement .* at least 1.00 M .* fails$' out
check "Ratios of rows are compared" grep -qE '^by another .* holds$' out
check "There is no scale between" exits 1 reproduce compared.json --scale part
check "There is no scale between" grep -q 'compared has no scale "part"' err
sed -i 's/"open": "the time"/"open": "the time", "as": {"colour": "red"}/; s/"as": {"board": null, "overflow": "strict"}, //' compared.json
check "Options in \"as\" are options" exits 1 reproduce compared.json
check "Options in \"as\" are options" grep -q 'row "not said": "as": no command has an option --colour' err

# Interrupted between repetitions: what there is of them is kept.
definition repeated '{"row": "many", "repeat": "1000", "run": "play {dir}/holes.json --board 6x8 --games 20 --seed {i}"}'
"$program" reproduce repeated.json >/dev/null 2>&1 &
pid=$!
until [[ $(ls reproduced/repeated/quick/outputs 2>/dev/null | wc -l) -gt 4 ]] || ! kill -0 $pid 2>/dev/null; do :; done
kill -TERM $pid 2>/dev/null
wait $pid
check "A part of the repetitions is kept" grep -qE '"repeats":([2-9]|[0-9][0-9]+),' reproduced/repeated.jsonl

definition broken '{"row": "a", "run": "play no-such-player"}'
check "A command that fails is named" exits 1 reproduce broken.json
check "A command that fails is named" grep -q '"tetralab play no-such-player" failed; its message stands above' err
definition missing '{"row": "a", "run": "play bcts --board 6x8 --games 2", "value": "nothing"}'
check "A value that is not there is named" exits 1 reproduce missing.json
check "A value that is not there is named" grep -q 'missing: row "a": There is no "nothing"' err

check "Pages are for 'report'" exits 2 reproduce list --pages pages

# What the papers have.
"$program" reproduce list >list 2>err
for name in p0-table1 p0-table2 p0-fig4 p0-fig5-6 p0-fig7-9 p0-fig10-12 p0-fig13 p0-5x5 p1-dellacherie p1-fig2-3 \
    p1-table3 p1-table4 p2-table2.3 p2-fig2.4 p2-fig2.5 p2-fig2.6 p2-fig2.8 p2-table4.2 p2-table4.3 p2-fig5.1 \
    p3-table1 p3-fig1-2 p4-fig3 p4-fig4 p4-fig5 jmlr-table; do
    check "There is no reproduction $name" grep -q "^$name " list
done
cd "$source" || exit 1
check "scripts/reproduce-all does not run every reproduction once" \
    cmp -s <(TETRALAB=$program scripts/reproduce-all --list | awk '{ print $2 }' | sort) <(awk '/^[^ ]/ { print $1 }' "$T/list" | sort)
mkdir "$T/seven"
sed 's/"repeats":8/"repeats":7/' results/p4-fig4.jsonl >"$T/seven/p4-fig4.jsonl"
"$program" reproduce report --out "$T/seven" >"$T/report" 2>"$T/err"
check "A ratio is as complete as its rows" \
    grep -qE '^\| share that came again: all games by a tenth .*\| full, 7 of 8 \|$' "$T/report"
ln -s "$source/results" "$T/results"
mkdir "$T/docs"
(cd "$T" && "$program" reproduce report --out results --pages docs/results >report 2>err)
told="run 'build/tetralab reproduce report --out results --pages docs/results >RESULTS.md'"
check "RESULTS.md is not what results/ says: $told" cmp -s "$T/report" RESULTS.md
check "docs/results is not what results/ says: $told" diff -rq "$T/docs/results" docs/results
check "RESULTS.md is longer than 40 kB" test "$(wc -c <RESULTS.md)" -le 40000

check "RESULTS.md names rows that are the same and do not say so" bash -c '! grep -q "^## Mistakes" RESULTS.md'
check "There are mistakes in the lists of reproductions/published" /usr/bin/python3 tests/published_lists.py .

echo "$checks checks, $failures failures"
exit $((failures > 0))
