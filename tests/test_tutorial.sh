#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Does what docs/features.md says under "Your first feature", word by word, in a copy of the source: a feature is added and works
# with every kernel. Blocks of the page: "```c FILE" is put into this file of the source (at its end, or above
# "// ---- all together"), "```json NAME" and "```text NAME" make a file, and in "```shell"
#     $ COMMAND                 is run and must succeed; what it prints must contain the lines below it
#     $ COMMAND    # fails      must not succeed
# A speed at the end of a line may be any. make builds as usual, but with -O1, only the plain kernel, and only what is
# needed here.
# Usage: tests/test_tutorial.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "$1")
page=$2/docs/features.md
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export LC_ALL=C.UTF-8
(cd "$2" && cp -r CMakeLists.txt README.md LICENSE ARCHITECTURE.md cmake docs examples include reproductions src tests "$T") || exit 1
cd "$T" || exit 1
failures=0 checks=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

make() {
    [[ -f build/build.ninja ]] ||
        cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 -DTETRALAB_KERNELS=plain >/dev/null || return
    LC_ALL=C cmake --build build --target tetralab test_features test_kernels -j 2
}

# Speeds, the only numbers that change.
mask() {
    sed -E 's/ {2,}[0-9.]+ [kMG]\b/  SPEED/g; s/ {2,}[0-9.]+$/  SPEED/'
}

run_command() {
    local command=$1 wanted=0 code
    checks=$((checks + 1))
    eval "$command" >out 2>&1 </dev/null
    code=$?
    [[ $command =~ \#\ fails$ ]] && wanted=1
    [[ $((code != 0)) == "$wanted" ]] || fail "exit $code from: $command"$'\n'"$(tail -20 out)"
    mask <out >masked
}

take_source() { # FILE TEXT
    case $1 in
    *.def) printf '%s' "$2" >>"$1" ;;
    *) awk -v text="$2" '/^\/\/ ---- all together/ { print text } { print }' "$1" >changed && mv changed "$1" ;;
    esac
}

inside='' file='' text='' command=''
while IFS= read -r line; do
    if [[ ! $inside ]]; then
        [[ $line =~ ^'```'([a-z]+)\ ?(.*)$ ]] && inside=${BASH_REMATCH[1]} file=${BASH_REMATCH[2]} text=''
    elif [[ $line == '```' ]]; then
        [[ $inside == c ]] && take_source "$file" "$text"
        [[ $inside == json || $inside == text ]] && printf '%s' "$text" >"$file"
        inside=''
    elif [[ $inside == shell && $line == '$ '* ]]; then
        command=${line#'$ '}
        run_command "$command"
    elif [[ $inside == shell ]]; then
        checks=$((checks + 1))
        grep -qF -e "$(mask <<<"$line")" masked || fail "not printed by: $command"$'\n'"$line"$'\n'"$(head -20 masked)"
    else
        text+=$line$'\n'
    fi
done <"$page"

# What the page says without showing it.
same() { # WHAT ONE OTHER
    checks=$((checks + 1))
    [[ $2 == "$3" ]] || fail "$1:"$'\n'"$2"$'\n'"$3"
}
same 'the signature has changed' "$(build/tetralab bench --signature)" "$("$program" bench --signature)"
scores() { # STRATEGY KERNEL
    build/tetralab play "$1" --kernel "$2" --board 6x7 --games 3 --max-pieces 30 --json - 2>&1 |
        tr -d ' \n' | grep -oE '"scores":[^]]*'
}
sed 's/"name": "nearly"/&, "player": "two-piece"/' nearly.json >two.json
sed 's/"name": "nearly"/&, "player": "expectimax"/' nearly.json >ahead.json
sed 's/}}/}, "exponents": {"nearly-full-rows": 2}, "rating": "exponential"}/; s/"name": "nearly"/"name": "power"/' nearly.json >power.json
kernels=$(build/tetralab bench --signature --json - | grep -oE '"name": *"[a-z0-9]+"' | cut -d'"' -f4)
for strategy in nearly two ahead power; do
    wanted=$(scores $strategy.json reference)
    [[ $wanted == *,* ]] || fail "$strategy.json does not play: $wanted"
    for kernel in $kernels; do
        same "$strategy.json plays otherwise with $kernel" "$(scores $strategy.json "$kernel")" "$wanted"
    done
done
TETRALAB_TEST_BOARDS=2000 build/tests/test_kernels >out 2>&1 || fail "test_kernels fails:"$'\n'"$(tail -20 out)"
echo "$checks checks, $failures mistakes."
[[ $failures == 0 ]]
