#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmark for optimisers, and its logs: what IOHprofiler's files say is what was scored, also after an interruption
# and when runs are added; an instance fixes what it says; recommendations are measured as the documents say.
# Usage: tests/test_benchmark.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "$1")
S=$2
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}
python=/usr/bin/python3
[[ -x $python ]] || python=$(command -v python3) || {
    echo "Skipped: there is no python3."
    exit 77
}
# With iohinspector where somebody has put it beside the packages of the Python tests
# (python/requirements-iohinspector.txt).
beside=$(dirname "$program")/python/packages/bin/python
[[ -x $beside ]] && "$beside" -c 'import iohinspector' 2>/dev/null && python=$beside
# reads EXPECTED FOLDER ...: the reader prints that
reads() {
    local expected=$1 text
    shift
    text=$(PYTHONDONTWRITEBYTECODE=1 "$python" "$S/tests/read_iohprofiler.py" "$@" 2>&1)
    [[ $text == "$expected"* ]] || fail "The log in $* reads: $text"
}
tetralab() {
    "$program" "$@"
}
instance=tetris-du-10x10-games

# Learning: the log is the journal; a run that was interrupted and resumed has the same log; several runs are several
# instances.
tetralab learn --instance $instance --runs 2 --generations 6 --out once --iohprofiler log >once.txt 2>&1 ||
    fail "learn: $(cat once.txt)"
reads '2 runs, 120 rows' log --journal once/journal.jsonl
grep -qE '^ +2 +60 +[0-9.]+ k? +' once.txt || fail "The answers are not measured: $(cat once.txt)"
tetralab learn --instance $instance --runs 2 --generations 2 --out twice --iohprofiler again --jobs 1 >/dev/null 2>&1
reads '2 runs, 40 rows' again --journal twice/journal.jsonl
tetralab learn --resume twice --generations 6 --iohprofiler again >/dev/null 2>&1 || fail "resume with a log fails."
diff -r log again >difference || fail "A resumed run has another log: $(head -5 difference)"
lines=$(grep -o '"recommended_lines": [0-9.]*' log/*.json | tail -1 | grep -oE '[0-9]+' | head -1)
tetralab measure twice/run-2.json --board 10x10 --precision 5% --seed 1000002 --json measured.json >/dev/null 2>&1
[[ $(grep -oE '"mean_lines": [0-9]+' measured.json) == "\"mean_lines\": $lines" ]] ||
    fail "The recommendation was measured otherwise than by the command that the documents give."
tetralab learn --instance $instance --out another --iohprofiler log >text 2>&1 && fail "A log is overwritten."
grep -q 'already: give another folder for the log' text || fail "It is refused by: $(cat text)"
[[ ! -e another ]] || fail "What is refused leaves a folder."

# Races: vectors have different numbers of games.
tetralab learn --method cmaes --objective games --board 6x10 --race bernstein --generations 3 --out race \
    --iohprofiler race-log >text 2>&1 || fail "race: $(cat text)"
reads '1 runs, ' race-log --journal race/journal.jsonl

# Evaluating: rows are in the order of the requests, whoever is ready first; a second run is added.
requests() {
    awk 'BEGIN { srand(1); for (k = 0; k < 30; k++) { printf "["
        for (i = 0; i < 8; i++) printf "%s%.3f", i ? ", " : "", rand() - 0.5
        print "]" } }'
}
requests | tetralab evaluate --instance $instance --iohprofiler scored --algorithm mine --ordered >one || fail "evaluate fails."
requests | tetralab evaluate --instance $instance --iohprofiler scored --algorithm mine --number 2 --ordered >two ||
    fail "evaluate does not add a run."
reads '2 runs, 60 rows' scored --answers one two
requests | tetralab evaluate --instance $instance --jobs 1 --ordered >single
samples() { grep -o '"samples":\[[^]]*\]' "$1"; }
[[ $(samples one) == "$(samples single)" ]] || fail "Scores depend on the threads."
[[ $(samples one) != "$(samples two)" ]] || fail "Two instances have the same random numbers."
requests | tetralab evaluate --instance $instance --iohprofiler scored --algorithm other >text 2>&1 &&
    fail "Another algorithm is added to the log."
grep -q 'is the log of another algorithm' text || fail "It is refused by: $(cat text)"
# A block of a program that was killed before it wrote the JSON goes.
printf 'evaluations raw_y raw_y_best samples pieces\n1 5 5 1 1\n' >>scored/data*/*.dat
requests | head -3 | tetralab evaluate --instance $instance --iohprofiler scored --algorithm mine --number 3 --ordered >three
reads '3 runs, 63 rows' scored --answers one two three

# Several programs may add their runs at the same time.
for number in {1..6}; do
    requests | head -5 | tetralab evaluate --instance $instance --iohprofiler crowd --number "$number" --jobs 1 >/dev/null &
done
wait
reads '6 runs, 30 rows' crowd
[[ $(grep -oE '"instance": [0-9]+' crowd/*.json | sort -u | wc -l) == 6 ]] || fail "Runs that were added at once are lost."

# Every instance can be scored and logged, whatever its name and dimension.
names=0
while read -r name dimension; do
    names=$((names + 1))
    yes 0 | head -"$dimension" | paste -sd, | sed 's/.*/[&]/' >zeros
    tetralab evaluate --instance "$name" --iohprofiler "all-$name" <zeros >answer || fail "$name: $(cat answer)"
    reads '1 runs, 1 rows' "all-$name" --answers answer
done < <(tetralab instances --json - | "$python" -c 'import json, sys
for one in json.load(sys.stdin): print(one["name"], one["dimension"])')
[[ $names -ge 8 ]] || fail "There are $names instances."

# What an instance fixes
{ echo '{"weights": [1,1,1,1,1,1,1,1], "games": 3}' && echo '{"describe": true}' &&
    echo '{"weights": [-1,1,-1,-1,-4,-1,0,0], "recommend": true}'; } | tetralab evaluate --instance $instance >text
grep -q 'belong to what the instance fixes' text || fail "games can be changed: $(cat text)"
grep -q '"maximization":true,"budget_evaluations":3000' text || fail "describe does not tell the budget: $(cat text)"
grep -qE '"recommended":true,"mean_lines":[0-9.]+,"ci95":\[[0-9.]+,[0-9.]+\]' text || fail "recommend: $(cat text)"
tetralab learn --instance $instance --board 10x12 --out x >text 2>&1
[[ $? == 2 ]] && grep -q -- '--board belongs to what' text || fail "The board can be changed: $(cat text)"
yes '[0,0,0,0,0,0,0,0]' | head -3002 | tetralab evaluate --instance $instance --ordered >text
[[ $(grep -c '"score"' text) == 3000 && $(grep -c 'budget of 3000 evaluations is used up' text) == 2 ]] ||
    fail "The budget is not kept: $(grep -c '"score"' text)"

echo "$failures mistakes."
[[ $failures == 0 ]]
