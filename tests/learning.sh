# SPDX-License-Identifier: GPL-3.0-or-later
# For scripts that run `tetralab learn` in a fresh folder: . "$(dirname "$0")/learning.sh"
program=$(realpath "$1")
T=$(mktemp -d)
trap 'umount "$T/small" 2>/dev/null; rm -rf "$T"' EXIT
cd "$T" || exit 1
export LC_ALL=C
small=(--board 6x8 --seed 3 --name same) # options of a quick run
checks=0 failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

learn() {
    "$program" learn "$@" >out 2>err
}
plays() { # FOLDER: is there a player in it?
    "$program" play "$1/best.json" --board 6x8 --games 2 >out 2>err
}

# check WHAT COMMAND...: the command must succeed
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$what."$'\n'"$(head -5 err)"
}
says() { # TEXT: in what went to stderr
    check "This was not said: $1" grep -qF -e "$1" err
}
one_sentence() {
    [[ $(wc -l <err) == 1 && $(cat err) == 'tetralab learn: '*. ]]
}
exits() { # CODE COMMAND...
    local wanted=$1 code
    shift
    "$@"
    code=$?
    [[ $code == "$wanted" ]]
}

# The history without its times, by run and generation: runs side by side finish in any order.
history_of() {
    sed -E 's/"seconds":[^,]*,//' "$1/journal.jsonl" | sort -t: -k2,2n -k3,3n
}
same_player() { # FOLDER FOLDER
    cmp "$1/best.json" "$2/best.json"
}
same_run() { # FOLDER FOLDER
    same_player "$1" "$2" && cmp <(history_of "$1") <(history_of "$2")
}
