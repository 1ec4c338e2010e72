#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab choose as another program sees it: text and JSON in, moves out, mistakes, dialogues.
# Usage: tests/test_choose.sh PROGRAM SOURCE_FOLDER
set -u
. "$(dirname "$0")/checks.sh"
program=$1
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
program=$(realpath "$program")
cd "$T" || exit 1
choose() { "$program" choose "$@"; }

# One board in all its forms has one answer.
{
    printf '%s\n' '{"board": ["####......", "#########."], "piece": "I"}' \
        '{"board": "####......\n#########.", "queue": "i"}' \
        '{"board": [3, 3, 3, 3, 1, 1, 1, 1, 1, 0], "piece": ["I"], "next": []}' \
        '{"board": [3, 3, 3, 3, 1, 1, 1, 1, 1, 0], "queue": ["I"]}' '' board '####......' '#########.' x=y '' '' \
        '####......' '#########.'
} >"$T/questions"
choose bcts --piece I <"$T/questions" >"$T/out"
check 'exit 0' same $? 0
check 'six answers' same "$(wc -l <"$T/out")" 6
check 'all the same' same "$(sort -u "$T/out" | cut -d, -f1-6)" \
    '{"move":"I1:9","orientation":1,"column":9,"row":0,"lines":1,"ends":false'
choose bcts --piece I --boards "$T/questions" >"$T/file"
check 'a file is the same as the standard input' cmp -s "$T/out" "$T/file"

# The answers are the moves that the player makes in its games: a recorded one is asked again, move by move.
ask_again() { # STRATEGY
    "$program" play "$1" --board 10x8 --pieces hard --seed 3 --games 1 --record "$T/record" >/dev/null &&
        /usr/bin/python3 - "$program" "$1" "$T/record" <<'PYTHON'
import json, subprocess, sys
program, strategy, record = sys.argv[1:]
shapes = {"O": ["## ##"], "I": ["####", "# # # #"], "S": [".## ##.", "#. ## .#"], "Z": ["##. .##", ".# ## #."],
          "L": ["### #..", "#. #. ##", "..# ###", "## .# .#"], "J": ["### ..#", "## #. #.", "#.. ###", ".# .# ##"],
          "T": ["### .#.", "#. ## #.", ".#. ###", ".# ## .#"]}
moves = [word for line in open(record) if line.startswith("moves") for word in line.split()[1:]]
moves = moves[:-1] if moves[-1] == "none" else moves
rows, questions = [], []  # rows from the floor, texts
for k, move in enumerate(moves):
    text = [''.join(row) for row in reversed(rows)]
    questions.append({"id": k, "board": text, "piece": move[0], "next": "".join(m[0] for m in moves[k + 1:k + 2])})
    shape = [list(row) for row in reversed(shapes[move[0]][int(move[1])].split())]
    column = int(move[3:])
    cells = [(column + x, y) for y, row in enumerate(shape) for x, c in enumerate(row) if c == "#"]
    fits = lambda at: all(y + at >= len(rows) or rows[y + at][x] == "." for x, y in cells)
    at = len(rows)
    while at > 0 and fits(at - 1):
        at -= 1
    while len(rows) < at + 4:
        rows.append(["."] * 10)
    for x, y in cells:
        rows[y + at][x] = "#"
    rows = [row for row in rows if "." in row and "#" in row]
answers = subprocess.run([program, "choose", strategy, "--board", "10x8", "--pieces", "hard"], text=True,
                         input="".join(json.dumps(q) + "\n" for q in questions), stdout=subprocess.PIPE).stdout
answers = [json.loads(line) for line in answers.splitlines()]
assert [a["id"] for a in answers] == list(range(len(moves))) and len(moves) > 10
assert [a["move"] for a in answers] == moves, (answers, moves)
PYTHON
}
check 'bcts is asked as it plays' ask_again bcts
check 'two pieces: fahey is asked as it plays' ask_again fahey

# Lists of moves: as many as wanted, the best first, what features give adds up.
check 'lists' /usr/bin/python3 - "$program" <<'PYTHON'
import json, subprocess, sys
def ask(line, *options):
    out = subprocess.run([sys.argv[1], "choose", *options], input=line, text=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)
line = '{"board": ["#.........", "#########."], "piece": "T"}\n'
plain = ask(line, "bcts")
assert "moves" not in plain
three = ask(line, "bcts", "--moves", "3")["moves"]
assert len(three) == 3 and three[0]["value"] >= three[1]["value"] >= three[2]["value"] and "features" not in three[0]
assert all(plain[key] == three[0][key] for key in plain)
full = ask(line, "bcts", "--features")["moves"]
assert len(full) == 34
for move in full:
    shares = move["features"].values()
    assert abs(sum(s["contribution"] for s in shares) - move["value"]) < 1e-6 and len(shares) == 8
    assert all(abs(s["weight"] * s["value"] - s["contribution"]) < 1e-9 for s in shares)
open("columns.json", "w").write('{"weights": {"column-heights": [-1, -2, -3, -4, -5], "holes": -4}}')
shares = ask('{"board": ["##..."], "piece": "O"}', "columns.json", "--board", "5x8", "--features")["moves"][0]["features"]
assert len(shares["column-heights"]["value"]) == 5 and shares["column-heights"]["weight"] == [-1, -2, -3, -4, -5]
lost = ask('{"board": [7, 7, 7, 7, 7, 7, 7, 7, 7, 0], "piece": "O"}', "bcts", "--board", "10x4", "--overflow", "strict",
           "--moves", "64")
assert lost["move"] is None and lost["value"] is None and len(lost["moves"]) == 9
assert all(move["ends"] and move["value"] is None for move in lost["moves"])
PYTHON

# Mistakes are answered, the run goes on, the exit code tells.
printf '%s\n' '{"piece": "T"' '{"piece": "T", "id": 3}' '{"bord": []}' '..x.......' '' \
    '{"board": ["##########"], "piece": "T", "id": "full"}' '{"board": ["##"], "piece": "T"}' '{}' >"$T/mixed"
choose bcts <"$T/mixed" >"$T/out"
check 'exit 1 after a wrong line' same $? 1
check 'seven answers' same "$(wc -l <"$T/out")" 7
check 'one move' same "$(grep -c '"move":' "$T/out")" 1
check 'line and character' grep -qE '^\{"line":1,"error":"Character 14: ' "$T/out"
check 'a misspelt key' grep -qE '^\{"line":3,"error":".*did you mean \\"board\\"' "$T/out"
check 'a wrong row of text' grep -qF '"error":"the standard input:4:3: ' "$T/out"
check 'a full row, with its id' grep -qE '^\{"id":"full","line":6,"error":"Row 0 of the board is full' "$T/out"
check 'no piece' grep -qE '"line":8,"error":"There is no piece: ' "$T/out"
{
    head -c 1100000 /dev/zero | tr '\0' '{'
    printf '\n%s' '{"piece": "T"}'
} | choose bcts >"$T/out"
check 'a line that is too long is skipped' grep -qE '^\{"line":1,"error":"The line has more than' "$T/out"
check 'the last line needs no end' grep -qE '^\{"move":' "$T/out"
head -c 300000 /dev/urandom | choose bcts --piece T >"$T/out"
check 'noise gets errors' same $? 1
choose bcts </dev/null >"$T/out"
check 'no input is no mistake' same "$? $(wc -c <"$T/out")" '0 0'
choose bcts <<<'{"piece": "T"}' >/dev/full 2>"$T/err"
check 'a full disk is reported' grep -q 'cannot write the standard output' "$T/err"
choose bcts --boards "$T/none" 2>"$T/err"
check 'a missing file is reported' grep -q 'cannot read .*none' "$T/err"

# An answer comes while the input is still open: the next question may depend on it.
coproc CHOOSE { exec "$program" choose bcts; }
for piece in T I O; do
    echo "{\"piece\": \"$piece\"}" >&"${CHOOSE[1]}"
    read -r -t 60 -u "${CHOOSE[0]}" line || line=
    check 'an answer before the next question' grep -q "\"move\":\"$piece" <<<"$line"
done
pid=$CHOOSE_PID
kill -TERM "$pid" # SIGINT is ignored in what a script starts in the background
wait "$pid"
check 'a signal ends it' same $? 0

echo "$checks checks, $failures failed."
[[ $failures == 0 ]]
