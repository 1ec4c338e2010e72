#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shards of a measurement, merged, are the measurement that one program makes; what is missing is told, and made by one
# more round of shards.
# Usage: tests/test_shards.sh PROGRAM SOURCE_FOLDER
set -u
program=$1
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
checks=0 failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# says TEXT FILE
says() {
    checks=$((checks + 1))
    grep -qF -e "$1" "$2" || fail "This was not said: $1"$'\n'"$(head -20 "$2")"
}

# refused TEXT OPTIONS...
refused() {
    local text=$1
    shift
    "$program" "$@" >out 2>err && fail "Accepted: $*"
    says "$text" err
}

# shards NAME N OPTIONS...: NAME0.jsonl ...; the second with another kernel, as another machine may have
shards() {
    local name=$1 of=$2 i kernel
    shift 2
    for ((i = 0; i < of; i++)); do
        kernel=()
        [[ $i == 1 ]] && kernel=(--kernel plain)
        "$program" measure "$@" --shard "$i/$of" --journal "$name$i.jsonl" "${kernel[@]}" >out 2>err ||
            fail "Shard $i of $*: $(cat err)"
        says "shard $i/$of is complete" out
    done
}

# merged NAME FILE...: the same table as NAME.csv, but for the seconds
merged() {
    local name=$1
    shift
    checks=$((checks + 1))
    "$program" report --merge "$@" --csv merged.csv >/dev/null 2>err || fail "Merging $name: $(cat err)"
    cut -d, -f1-13,15- merged.csv >merged
    cut -d, -f1-13,15- "$name.csv" >whole
    cmp whole merged || fail "$name: not what one program measures."
}

# Two players at once; the shards in any order, one of them twice.
options=(bcts dellacherie --board 10x10 --method splitting --precision 20% --seed 4)
"$program" measure "${options[@]}" --csv splitting.csv >/dev/null 2>err || fail "splitting: $(cat err)"
shards s 3 "${options[@]}"
merged splitting s2.jsonl s0.jsonl s1.jsonl s0.jsonl

# What had another plan is another measurement.
"$program" measure dellacherie --board 10x10 --method splitting --precision 20% --seed 5 --shard 1/3 --journal x.jsonl \
    >out 2>err || fail "Another seed: $(cat err)"
"$program" report --merge s?.jsonl x.jsonl --csv four.csv >out 2>err && fail "Nothing is missing of another seed."
[[ $(wc -l <four.csv) == 3 ]] || fail "Measurements of two seeds were merged: $(cat four.csv)"
cmp <(cut -d, -f1-13 four.csv) <(cut -d, -f1-13 splitting.csv) || fail "Another seed changed what was merged."

# Games, of which a shard makes several blocks.
options=(dellacherie --board 6x8 --method games --precision 3% --seed 4)
"$program" measure "${options[@]}" --csv games.csv >/dev/null 2>err || fail "games: $(cat err)"
shards g 2 "${options[@]}"
[[ $(grep -c '"kind": *"games"' g0.jsonl) -gt 1 ]] || fail "A shard kept all its games in one line."
merged games g0.jsonl g1.jsonl

# A precision that the pilot has underrated: rounds of shards until nothing is missing.
options=(bcts --board 10x14 --method splitting --precision 8%)
"$program" measure "${options[@]}" --csv more.csv >/dev/null 2>err || fail "more: $(cat err)"
shards m 3 "${options[@]}"
rounds=0
until "$program" report --merge m?.jsonl --journal all.jsonl >out 2>err || [[ $((++rounds)) == 9 ]]; do
    says "unfinished" out
    says "measure --resume COPY --shard I/N" err
    tee m0.jsonl m1.jsonl m2.jsonl <all.jsonl >/dev/null
    rm all.jsonl
    for i in 0 1 2; do
        "$program" measure --resume "m$i.jsonl" --shard "$i/3" >out 2>err || fail "One more round: $(cat err)"
    done
done
[[ $rounds -ge 1 && $rounds -lt 9 ]] || fail "$rounds more rounds."
merged more m?.jsonl
"$program" report all.jsonl --csv merged.csv >/dev/null 2>err || fail "Reading what was merged: $(cat err)"
cmp <(cut -d, -f1-13,15- merged.csv) whole || fail "The merged journal has not the result of one program."
checks=$((checks + 1))
! grep -q "no result" err || fail "A complete merge is kept without its result: $(cat err)"

# The shard with the first games is lost: one program makes its games, and no others.
rm -f all.jsonl
"$program" report --merge g1.jsonl --journal all.jsonl >out 2>err && fail "Nothing is missing of the games."
says "of the 4463 games that it takes as far as is known, 2231 are there." err
lines=$(wc -l <all.jsonl)
"$program" measure --resume all.jsonl >out 2>err || fail "Filling the gaps: $(cat err)"
[[ $(wc -l <all.jsonl) -lt $((lines + 40)) ]] || fail "Every gap is a line of its own: $lines, $(wc -l <all.jsonl)"
merged games all.jsonl

# Heights: their result is all that there is.
"$program" measure dellacherie --board 10x10 --method heights --journal h.jsonl --csv heights.csv \
    >out 2>err || fail "heights: $(cat err)"
merged heights h.jsonl
grep -v '"kind": *"result"' h.jsonl >open.jsonl
refused "cannot be cut into shards" measure --resume open.jsonl --shard 0/3
"$program" report --merge open.jsonl >out 2>err && fail "Nothing is missing of heights without a result."
says "heights have no result yet" err

sed 's/"interrupted": *false/"interrupted":true/' h.jsonl >stopped.jsonl
cmp -s h.jsonl stopped.jsonl && fail "The journal does not say whether heights were interrupted."
for order in "h.jsonl stopped.jsonl" "stopped.jsonl h.jsonl"; do
    # shellcheck disable=SC2086
    merged heights $order
done
"$program" report --merge stopped.jsonl >out 2>err && fail "Nothing is missing of heights that were interrupted."
says "heights were interrupted" err

# One shard of many, which has none of the first games.
"$program" measure bcts --board 8x8 --precision 8% --method games --shard 15/16 --journal q.jsonl >out 2>err ||
    fail "Shard 15: $(cat err)"
"$program" report --merge q.jsonl >out 2>err && fail "Nothing is missing of 16 shards."
says "of the 675 games that it takes as far as is known, " err

# A shard is missing: the first of its repetitions is where it ends.
"$program" report --merge s0.jsonl s2.jsonl >out 2>err && fail "Nothing is missing without shard 1."
says "the first 1 are there" err
refused "must be I/N" measure bcts --shard 3/3 --journal x.jsonl
refused "must be I/N" measure bcts --shard -1/3 --journal x.jsonl
refused "only with its journal" measure bcts --shard 0/3
refused "leave --budget-pieces out" measure bcts --shard 0/3 --journal x.jsonl --budget-pieces 1M
refused "leave --budget-pieces out" measure --resume s0.jsonl --shard 0/3 --budget-pieces 1M
refused "a shard has no result" measure bcts --shard 0/3 --journal x.jsonl --csv x.csv
refused "cannot be cut into shards" measure bcts --shard 0/3 --journal x.jsonl --method heights
refused "with --merge only" report s0.jsonl --journal x.jsonl

echo "$checks checks, $failures mistakes."
[[ $failures == 0 ]]
