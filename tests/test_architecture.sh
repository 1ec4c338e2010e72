#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ARCHITECTURE.md names every file of the folders below and no other, and no file includes a header of
# a higher layer.
# Usage: tests/test_architecture.sh PROGRAM SOURCE_FOLDER     (PROGRAM is not used)
set -u
cd "$2" || exit 1
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# In the map, a.{h,c} stands for two files, and a name with / at its end for everything inside.
folders='src include examples tests scripts'
name="(${folders// /|})/[A-Za-z0-9_./{},-]*[A-Za-z0-9_}/]"
mapped=$(grep -oE "(^|[^A-Za-z0-9_./-])$name" ARCHITECTURE.md | sed -E 's/^[^a-z]//')
expanded=$(for name in $mapped; do eval "printf '%s\n' $name"; done | sort -u)
files=$(find $folders -type f | sort)
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

# layer: the layers whose headers it may include
declare -A below=(
    [base]="base"
    [game]="base game"
    [feature]="base game feature"
    [player]="base game feature player"
    [measure]="base game feature player measure"
    [optimise]="base optimise"
    [lab]="base game feature player measure optimise lab"
    [learn]="base game feature player measure optimise lab learn"
    [plot]="base game feature player measure optimise lab learn plot"
    [reproduce]="base game feature player measure optimise lab learn plot reproduce"
    [api]="base game feature player measure optimise lab learn api"
    [app]="base game feature player measure optimise lab learn plot reproduce api app"
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
