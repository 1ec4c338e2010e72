#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ARCHITECTURE.md names every file of the folders below and no other, the functions on its walks are in the files
# that it says, and no file includes a header of a higher layer.
# Usage: tests/test_architecture.sh PROGRAM SOURCE_FOLDER     (PROGRAM is not used)
set -u
cd "$2" || exit 1
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# In the map, a.{h,c} stands for two files, and a name with / at its end for everything inside.
folders='src include examples python tests scripts web'
name="(${folders// /|})/[A-Za-z0-9_./{},-]*[A-Za-z0-9_}/]"
mapped=$(grep -oE "(^|[^A-Za-z0-9_./-])$name" ARCHITECTURE.md | sed -E 's/^[^a-z]//')
expanded=$(for name in $mapped; do eval "printf '%s\n' $name"; done | sort -u)
files=$(find $folders -type f -not -path '*/__pycache__/*' | sort)
for file in $files; do
    found=
    for name in $expanded; do
        # The folders at the top, as in "src/", cover nothing.
        [[ $file == "$name" || ($name == */*/ && $file == "$name"*) ]] && found=1 && break
    done
    [[ $found ]] || fail "$file is missing from ARCHITECTURE.md."
done
for name in $expanded; do
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
    [picture]="base game picture"
    [view]="base game feature player picture view"
    [optimise]="base optimise"
    [lab]="base game feature player measure optimise lab"
    [learn]="base game feature player measure optimise lab learn"
    [plot]="base game feature player measure optimise lab learn plot"
    [reproduce]="base game feature player measure optimise lab learn picture plot reproduce"
    [api]="base game feature player measure optimise lab learn api"
    [app]="base game feature player measure optimise lab learn picture plot reproduce serve view api app"
    [serve]="base serve"
    [web]="base game feature player measure optimise lab learn web"
    [mpi]="base learn app mpi" # app: the program that mpi/main.c starts
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

echo "$(wc -l <<<"$files") files looked at, $failures mistakes."
[[ $failures == 0 ]]
