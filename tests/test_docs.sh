#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md and docs/ say what the program does: its own texts are up to date, links lead somewhere, and the
# commands shown in ```console blocks work and print what is shown. In such a block
#     $ COMMAND                  is run and must succeed; the lines below it must be among those it prints
#     $ COMMAND    # fails       must not succeed
#     $ COMMAND    # varies      prints other times, speeds or sizes each time: its lines are not compared
#     $ COMMAND    # slow        is not run
#     $ COMMAND    # long        takes hours, or more than one machine: is never run
# A line "..." stands for lines left out, and a speed at the end of a line may be any. The commands of one
# document run in one fresh folder; a block ```json NAME (or another language) puts the file NAME there.
#
# `make check-docs`, before a release, calls it with "all". Then slow commands are run too, and all lines are compared,
# but for times and speeds. Of a command that ends by the clock or times something (# slow, clocked; # clocked) nothing
# is compared but the words.
# Usage: tests/test_docs.sh PROGRAM SOURCE_FOLDER [all [DOCUMENT...]]
#        tests/test_docs.sh PROGRAM SOURCE_FOLDER texts|commands [DOCUMENT...]     all but the commands, or only these
set -u
program=$(realpath "$1")
cd "$2" || exit 1
S=$PWD
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export LC_ALL=C.UTF-8
part=${3:-} all='' documents=("${@:4}")
[[ $part == all ]] && all=all
failures=0 commands=0 links=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

tetralab() {
    "$program" "$@"
}

# Speeds, the only numbers that change. A slow machine may print one without a letter.
mask() {
    sed -E 's/ {2,}[0-9.]+ [kMG]$/  SPEED/'
}
mask_any() {
    sed -E 's/ {2,}[0-9.]+( [kMG])?$/  SPEED/'
}

# What follows from nothing but the seeds stays: times, speeds and what depends on the clock go.
mask_times() {
    sed -E -e 's/[0-9.]+ (ms|s|min|h)( [0-9]+ (s|min))?($|[^a-zA-Z])/TIME\4/g' -e 's/ +[0-9.]+( [kMGT])?$/ SPEED/' \
        -e 's/[0-9.]+( [kMGT])? (pieces|moves|boards)\/s/SPEED/g' \
        -e 's/"(seconds|[a-z]+_per_second)": ?[0-9.e+-]+/"\1":TIME/g' -e 's/ {2,}/  /g'
}
mask_numbers() {
    sed -E -e 's/[0-9][0-9.,]*( [kMGT])?( (ms|s|min|h))?( [0-9]+ (s|min))?/N/g' -e 's/ +/ /g'
}
is_marked() { # COMMAND MARK
    [[ $1 =~ \#\ ([a-z, ]*)$ && " ${BASH_REMATCH[1]//,/ } " == *" $2 "* ]]
}

run_command() {
    local place=$1 command=$2 wanted=0 code
    is_marked "$command" long && return
    [[ ! $all ]] && is_marked "$command" slow && return
    commands=$((commands + 1))
    [[ $all ]] && echo "$(date +%T) $place: $command" >&2
    eval "$command" >"$T/.out" 2>&1 </dev/null
    code=$?
    is_marked "$command" fails && wanted=1
    [[ $((code != 0)) == "$wanted" ]] || fail "$place: exit $code from: $command"$'\n'"$(head -5 "$T/.out")"
}

told_of=
told() { # what was printed instead, once for each command
    [[ $told_of == "$2" ]] || sed 's/^/    /' "$T/.out" | head -c 3000
}
check_line() {
    local place=$1 command=$2 line=$3 masked
    [[ $line == '' || $line == '...' ]] && return
    is_marked "$command" long && return
    if [[ $all ]]; then
        local hide=mask_times
        is_marked "$command" clocked && hide=mask_numbers
        masked=$($hide <<<"$line")
        $hide <"$T/.out" | grep -xF -e "$masked" >/dev/null ||
            fail "$place: this line is not printed by: $command"$'\n'"$line"$'\n'"$(told "$place" "$command")" && told_of=$command
        return
    fi
    is_marked "$command" slow || is_marked "$command" varies || is_marked "$command" clocked && return
    masked=$(mask <<<"$line")
    { [[ $masked == "$line" ]] && cat "$T/.out" || mask_any <"$T/.out"; } | grep -xF -e "$masked" >/dev/null ||
        fail "$place: this line is not printed by: $command"$'\n'"$line"
}

run_document() {
    local document=$1 number=0 inside= file= command= line
    mkdir -p "$T/$document/build" && cd "$T/$document" || exit 1
    ln -s "$S/scripts" "$S/examples" . && ln -s "$program" build/tetralab
    while IFS= read -r line; do
        number=$((number + 1))
        if [[ $inside ]]; then
            if [[ $line == '```' ]]; then
                inside=
            elif [[ $inside == file ]]; then
                printf '%s\n' "$line" >>"$file"
            elif [[ $inside == console && $line == '$ '* ]]; then
                command=${line#'$ '}
                run_command "$document:$number" "$command"
            elif [[ $inside == console ]]; then
                check_line "$document:$number" "$command" "$line"
            fi
        elif [[ $line =~ ^\`\`\`[a-z]+\ ([a-z0-9._-]+)$ ]]; then
            inside=file file=${BASH_REMATCH[1]}
            : >"$file"
        elif [[ $line == '```'* ]]; then
            inside=${line#'```'}
            inside=${inside:-text}
        fi
    done <"$S/$document"
    [[ ! $inside ]] || fail "$document: a block does not end."
    cd "$S" || exit 1
}

check_links() {
    local document=$1 target
    while IFS= read -r target; do
        links=$((links + 1))
        [[ -e $(dirname "$document")/$target ]] || fail "$document: the link to $target leads nowhere."
    done < <(grep -oE '\]\([^)#: ]+' "$document" | sed 's/^](//')
}

[[ ${documents[*]} ]] || documents=(README.md ARCHITECTURE.md CONTRIBUTING.md RESULTS.md docs/*.md docs/papers/*.md docs/results/*.md)
for document in "${documents[@]}"; do
    [[ $part == texts ]] || run_document "$document"
    [[ $part == commands ]] && continue
    check_links "$document"
    grep -n '@@' "$document" /dev/null | while read -r place; do echo "$place: a number is still missing."; done
    grep -q '@@' "$document" && failures=$((failures + 1))
done
if [[ $part == commands ]]; then
    echo "$commands commands tried, $failures mistakes."
    [[ $failures == 0 ]]
    exit
fi

[[ $(wc -l <README.md) -le 90 ]] || fail "README.md has more than 90 lines: docs/ has room."

# Every command has its place in docs/commands.md, in the order of --help, and its options stand somewhere: its own
# with the command, shared ones once.
listed=$(tetralab --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
difference=$(diff <(echo "$listed") <(sed -n '/^## Shared/d; s/^## //p' docs/commands.md)) ||
    fail "docs/commands.md does not have the commands of 'tetralab --help' in their order:"$'\n'"$difference"
for name in $listed; do
    grep -qF "<!-- output of: tetralab help --shared $name -->" docs/*.md || fail "docs/ does not show the options of $name."
done
scripts/update-docs --check "$program" || fail "Run scripts/update-docs: what is shown above is old."
echo "$commands commands tried, $links links followed, $failures mistakes."
[[ $failures == 0 ]]
