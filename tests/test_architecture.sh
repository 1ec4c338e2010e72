#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ARCHITECTURE.md has a line for every room and names no file that does not exist, the functions on its walks are in
# the files that it says; every source file begins with a comment (scripts/map); and no file includes a header of a
# higher layer.
# Usage: tests/test_architecture.sh PROGRAM SOURCE_FOLDER     (PROGRAM is not used)
set -u
cd "$2" || exit 1
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

missing=$(scripts/map 2>&1 >/dev/null) || fail "$missing"

[[ $(wc -l <ARCHITECTURE.md) -le 250 ]] || fail "ARCHITECTURE.md has more than 250 lines; the map is scripts/map's."
for room in src/*/; do
    grep -q "^| $(basename "$room") |" ARCHITECTURE.md || fail "ARCHITECTURE.md has no line for the room $room."
done
for name in $(grep -oE '\b(src|include|examples|python|tests|scripts|web)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' ARCHITECTURE.md |
    sort -u); do
    [[ -e $name ]] || fail "ARCHITECTURE.md names $name, which does not exist."
done

# A row of a walk is | `function()` | file | what happens |; further functions may be named in the last column.
steps=0
while IFS='|' read -r _ function file what; do
    for name in $(grep -oE '`[a-z0-9_]+\(\)' <<<"$function" | tr -d '`()'); do
        steps=$((steps + 1))
        grep -qE "^[A-Za-z].*\b$name\(" $file || fail "ARCHITECTURE.md: $name() is not in$file."
    done
    for name in $(grep -oE '`[a-z0-9_]+\(\)' <<<"$what" | tr -d '`()'); do
        grep -qrE "^[A-Za-z].*\b$name\(" src || fail "ARCHITECTURE.md: $name() is not in src."
    done
done < <(sed -n '/^## Three walks/,/^## How to add/p' ARCHITECTURE.md | grep '^| `')
[[ $steps -ge 30 ]] || fail "ARCHITECTURE.md: the walks have only $steps steps."

# layer: the layers whose headers it may include
declare -A below=(
    [base]="base"
    [game]="base game"
    [feature]="base game feature"
    [player]="base game feature player"
    [measure]="base game feature player measure"
    [exact]="base game feature player exact"
    [patterns]="base game feature player patterns"
    [picture]="base game picture"
    [view]="base game feature player picture view"
    [optimise]="base optimise"
    [learn]="base game feature player measure optimise learn"
    [tasks]="base game feature player measure exact patterns optimise learn tasks"
    [plot]="base game feature player measure exact patterns optimise learn tasks plot"
    [reproduce]="base game feature player measure exact patterns optimise learn tasks picture plot reproduce"
    [api]="base game feature player measure exact patterns optimise learn tasks api"
    [app]="base game feature player measure exact patterns optimise learn tasks picture plot reproduce serve view api app"
    [serve]="base serve"
    [web]="base game feature player measure exact patterns optimise learn tasks web"
    [mpi]="base measure learn app mpi" # app: the program that mpi/main.c starts
)
while IFS=: read -r file line text; do
    layer=${file#src/} layer=${layer%%/*}
    header=$(sed -E 's/^[^"]*"([^"]*)".*/\1/' <<<"$text")
    if [[ ! -e src/$header ]]; then
        [[ -e include/$header ]] || fail "$file:$line includes $header, which is not in src."
    elif [[ -z ${below[$layer]-} ]]; then
        fail "$file: the layer $layer is unknown to this test."
    elif [[ " ${below[$layer]} " != *" ${header%%/*} "* ]]; then
        fail "$file:$line includes $header, but $layer may include only: ${below[$layer]}."
    fi
done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' -r src)

echo "$steps steps of walks looked at, $failures mistakes."
[[ $failures == 0 ]]
