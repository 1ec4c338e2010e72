# SPDX-License-Identifier: GPL-3.0-or-later
# For the attacks: a folder with inputs of every kind, a command line of every command, and counting.
# Usage: . common.sh, with PROGRAM as the first argument of the script
set -u
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
tried=0 failures=0

fault() {
    failures=$((failures + 1))
    echo "FAULT: $*"
}

# Prints the counts and ends: 0 if there was no fault.
finish() {
    echo "$(basename "$0"): $tried $1, $failures faults."
    [[ $failures == 0 ]]
    exit
}

tetralab() {
    "$program" "$@"
}

inputs() {
    tetralab strategies bcts >s.json
    tetralab play bcts --board 6x8 --games 1 --record record.txt
    tetralab measure bcts --board 6x8 --precision 40% --journal journal.jsonl
    printf '{"name": "u", "player": "uct", "phases": 10, "database": "states.db"}' >uct.json
    tetralab play uct.json --board 5x6 --games 1
    tetralab learn --board 5x6 --objective games --games 1 --population 4 --generations 2 --out run
    tetralab solve --board 4x4 --out table --check-games 0
    printf '#...\n##.#\n' >board.txt
    printf '#....\n##.#.\n' >boards.txt
    printf 'OISZLJTOISZLJT' >pieces.txt
    printf '[-1, 1, -1, -1, -4, -1, 0, 0]\n' >vectors.txt
    cat >tiny.json <<'END'
{"paper": "Nobody 1999", "place": "table 1", "title": "A try", "text": "Text.",
 "scales": {"quick": {}, "full": {}},
 "rows": [{"row": "r", "run": "play bcts --board 5x6 --games 2", "published": [0, 1000]}]}
END
} >/dev/null 2>&1

# Every command, on these inputs; OUT is a folder for what it writes.
commands=(
    'play s.json --board 5x6 --games 2 --json OUT/a.json --record OUT/a.txt'
    'play uct.json --board 5x6 --games 1 --json OUT/b.json'
    'play table.json --board 4x4 --games 2 --json OUT/c.json'
    'play --replay record.txt --json OUT/d.json'
    'play s.json --board 5x6 --games 1 --pieces pieces.txt --json OUT/e.json'
    'measure s.json --board 5x6 --precision 50% --journal OUT/j --json OUT/f.json --csv OUT/f.csv --markdown OUT/f.md'
    'report journal.jsonl --csv OUT/g.csv'
    'compare s.json dellacherie --board 5x6 --precision 50% --json OUT/h.json --csv OUT/h.csv'
    'versus s.json fahey --board 5x6 --games 2 --json OUT/i.json --record OUT/i.txt'
    'learn --board 5x6 --objective games --games 1 --population 4 --generations 2 --out OUT/run --json OUT/k.json'
    'evaluate --board 5x6 --objective games --games 1'
    'choose s.json --board 5x6 --piece T --boards boards.txt'
    'solve --board 4x4 --out OUT/solved --check-games 100 --json OUT/l.json'
    'reproduce tiny.json --out OUT/reproduced'
    'reproduce report --out OUT'
    'strategies s.json --json OUT/m.json'
    'features --boards board.txt --board 4x4'
    'bench --seconds 0.01 --json OUT/n.json'
    'perft --depth 1 --from board.txt --board 4x4 --json OUT/o.json'
    'db stat states.db --json OUT/p.json'
    'db verify states.db'
    'db export states.db --out OUT/q.jsonl'
    'db compact states.db --out OUT/compact.db'
)

# "play": the sum of everything that a command may read
checksum_inputs() {
    cat s.json record.txt journal.jsonl uct.json board.txt pieces.txt tiny.json table.json table.values \
        run/run.json run/journal.jsonl run/best.json | cksum
    tetralab db export states.db 2>/dev/null | cut -d'"' -f1-30 | cksum
}
