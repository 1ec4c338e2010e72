#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Tetris Bot Protocol, both ways: tetralab as a bot plays the games of its strategy to the last line, and
# bots of other programs, good and bad (tests/bots/scripted.py), are played, measured, or refused in one sentence.
# Usage: tests/test_bots.sh PROGRAM SOURCE_FOLDER
set -u
. "$(dirname "$0")/checks.sh"
program=$(realpath "$1")
S=$(realpath "$2")
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
scripted() { # KIND [MORE JSON MEMBERS]: makes KIND.json
    echo "{\"name\": \"$1\", \"player\": \"tbp\", \"command\": [\"$S/tests/bots/scripted.py\", \"$1\", \"$T/pid\"]${2-}}" >"$1.json"
}
itself() { # NAME STRATEGY OPTIONS...: a strategy that plays STRATEGY through the protocol
    local name=$1 words
    shift
    words=$(printf ', "%s"' "$@")
    echo "{\"name\": \"$name\", \"player\": \"tbp\", \"command\": [\"$program\", \"tbp\"$words], \"start-limit\": 300, \"move-limit\": 300}" >"$name.json"
}
numbers() { tr -d '\n ' | grep -oE "$1" | xargs; }

# Whatever a strategy plays, it plays through the protocol.
games() { # STRATEGY OPTIONS...
    "$program" play "$@" --games 3 --json - 2>&1 | numbers '"(scores|lines|pieces)":\[?[0-9,]+|^tetralab.*'
}
pairs() { # STRATEGY OPTIONS...
    itself own "$@"
    check "$* as a bot plays its games" same "$(games own.json "${@:2}")" "$(games "$@")"
}
pairs bcts --board 10x9 --pieces hard
pairs dellacherie --board 10x7 --pieces bag --overflow strict
pairs fahey --board 10x7 --pieces hard
"$program" play own.json --board 10x7 --pieces hard --games 1 --record one >/dev/null
"$program" play fahey --board 10x7 --pieces hard --games 1 --record two >/dev/null
check 'the same moves' cmp -s <(grep -v ^player one) <(grep -v ^player two)
echo '{"player": "expectimax", "candidates": 3, "weights": {"holes": -4, "landing-height": -1}}' >ahead.json
pairs "$T/ahead.json" --board 10x5 --pieces bag

# It can be put on any board, as splitting does: hundreds of them, whatever came before.
/usr/bin/python3 - >boards <<'PYTHON'
import json, random
random.seed(5)
for k in range(300):
    heights = [random.randint(0, 9) for _ in range(10)]
    columns = [(1 << height) - 1 & ~(1 << random.randint(0, 12)) for height in heights]
    columns[random.randint(0, 9)] = 0  # no full row
    print(json.dumps({"id": k, "board": columns, "piece": random.choice("OISZLJT"), "next": random.choice("OISZLJT")}))
PYTHON
moves() { "$program" choose "$@" --board 10x12 <boards 2>&1 | cut -d, -f1-7; }
itself own fahey --board 10x12
check '300 boards' same "$(moves fahey | wc -l)" 300
check 'a bot on any board' cmp -s <(moves own.json) <(moves fahey)
itself own bcts --board 10x4
"$program" versus own.json bcts --board 10x4 --games 2 >out 2>&1
check 'a match' grep -q '^2 matches' out

# Another program, which keeps the board by what it is told.
scripted good
scripted second
scripted gives-up
good=$(games good.json --jobs 2)
check 'a good bot plays' grep -q 'scores:\[[0-9]' <<<"$good"
check 'the first move that is possible counts' same "$(games second.json)" "$good"
scripted holds ', "fill-hold": true'
check 'a filled hold changes nothing' same "$(games holds.json)" "$good"
check 'who suggests nothing gives the game up' grep -q 'scores:\[' <<<"$(games gives-up.json)"
check 'no bot is left' same "$(pgrep -fc "$T/pid")" 0

# Bad ones: one sentence, exit 1, nobody waits, nobody is left.
LIMITS=', "start-limit": 300, "move-limit": 300' # a busy machine may take its time
refused() { # KIND WORDS
    local kind=$1 words=$2 code
    scripted "$kind" "$LIMITS"
    timeout 500 "$program" play "$kind.json" >out 2>err </dev/null
    code=$?
    check "$kind: exit code" same $code 1
    check "$kind: the sentence" grep -qF -- "$words" err
    check "$kind: one sentence" same "$(wc -l <err)" 1
}
refused spin 'spin: the bot spins the '
refused floats 'leaves the O in the air: in row 3, but it falls to row 0.'
refused outside 'outside the board'
refused buried 'outside the board'
refused hold 'there is no hold in these games'
refused nonsense 'suggests a move that is none: '
LIMITS=', "start-limit": 0.7, "move-limit": 300'
refused silent 'has not answered within 0.7 s, when it was started; "start-limit"'
LIMITS=', "start-limit": 300, "move-limit": 300'
refused garbage 'a line that is no JSON, when it was started: Character 1: '
refused flood 'a line of more than 1048576 bytes'
LIMITS=', "start-limit": 0.7, "move-limit": 300'
refused chatter 'has not answered within 0.7 s, when it was started'
LIMITS=', "start-limit": 300, "move-limit": 300'
refused dies-at-once 'the bot ended, when it was started.'
refused refuses 'the bot refuses these rules: unsupported_rules.'
refused dies 'the bot ended, when it was asked for a move.'
LIMITS=', "start-limit": 300, "move-limit": 0.7'
refused stalls 'has not answered within 0.7 s, when it was asked for a move; "move-limit"'
refused deaf 'has not answered within 0.7 s, when it was asked for a move'
LIMITS=', "start-limit": 300, "move-limit": 300'
refused no-moves 'no list "moves"'
scripted slides
echo '{"board": ["##........", "..........", ".........."], "piece": "O"}' | "$program" choose slides.json >out 2>err
check 'slides: the sentence' grep -qF 'slides the O into a place that it does not reach by falling straight down.' err
echo '{"board": ["##........", "##........"], "piece": "O"}' | "$program" choose slides.json >out 2>err
check 'filled cells: the sentence' grep -qF 'puts the O on cells that are filled.' err
for ((i = 0; i < 300; i++)); do pgrep -f "$T/pid" >/dev/null || break; done # they are ended by a process that is left over
check 'no bot is left' same "$(pgrep -fc "$T/pid")" 0

# What cannot be started.
echo '{"player": "tbp", "command": ["./no-such-bot"]}' >none.json
"$program" play none.json >out 2>err
check 'no program' grep -qF 'none: cannot start ./no-such-bot: No such file or directory.' err
"$program" play good.json --board 8x12 >out 2>err
check 'another width' grep -qF 'have 10 columns, not 8.' err
echo '{"player": "tbp"}' >none.json
"$program" play none.json >out 2>err
check 'no command' grep -qF '"command" is missing' err
echo '{"player": "tbp", "command": "bot"}' >none.json
"$program" play none.json >out 2>err
check 'no list' grep -qF 'none.json:1:30: "command" needs a list of texts' err
"$program" strategies good.json >again.json
check 'written as it was read' grep -qF "\"command\": [\"$S/tests/bots/scripted.py\", \"good\", \"$T/pid\"]" <(tr -d '\n' <again.json | sed -E 's/\[ */[/; s/, +"/, "/g; s/" *\]/"]/')
cat >definition.json <<END
{"paper": "Nobody 1999", "place": "table 1", "title": "A try", "text": "Text.", "scales": {"quick": {}, "full": {}},
 "rows": [{"row": "r", "run": "play $T/good.json --games 1", "published": [0, 1000]}]}
END
"$program" reproduce definition.json --out folder >out 2>&1
check 'a definition starts no bot' grep -qF 'a definition runs no other programs' out
"$program" measure good.json --board 10x6 --precision 30% --method games --journal bot.jsonl >out 2>&1
"$program" measure --resume bot.jsonl --precision 10% >out 2>&1
check 'a journal starts no bot' grep -qF 'A journal starts no other program' out
printf '{"player": "tbp", "command": ["./bot"%s]}' "$(printf ', "x"%.0s' {1..300})" >many.json
"$program" play many.json >out 2>&1
check 'too many words' grep -qF '"command" has more than 256 words.' out

# If tetralab is killed its bots end, also one that does not look at its input.
scripted lives-on
rm -f pid
"$program" measure lives-on.json --precision 1% >out 2>&1 &
pid=$!
for ((i = 0; i < 30000000; i++)); do [[ ! -s $T/pid ]] || break; done
kill -9 $pid
wait $pid 2>/dev/null
bot=$(<pid)
for ((i = 0; i < 3000000; i++)); do [[ -d /proc/$bot ]] || break; done
check 'a bot ends with tetralab' test ! -d "/proc/$bot"

# As a bot: mistakes are told on stderr, and it goes on.
{
    printf '%s\n' '{"type": "rules"}' nonsense '{"type": "thoughts"}' '{"type": "start", "board": 3}' '{"type": "suggest"}' '{}'
    head -c 1100000 /dev/zero | tr '\0' ' '
    printf '\n%s\n' '{"type": "quit"}' '{"type": "suggest"}'
} | "$program" tbp bcts >out 2>err
check 'exit 0' same $? 0
check 'info, ready, and a suggestion without moves' same "$(grep -oE '"type":"[a-z]+"|"moves":\[\]' out | xargs)" \
    'type:info type:ready type:suggestion moves:[]'
check 'four sentences' same "$(cut -d: -f1-2 err | xargs)" \
    'tetralab tbp: line 2 tetralab tbp: line 4 tetralab tbp: line 6 tetralab tbp: line 7'
"$program" tbp bcts --board 8x20 </dev/null >out 2>err
check 'another width is wrong usage' same "$? $(wc -c <out)" '2 0'

echo "$checks checks, $failures failed."
[[ $failures == 0 ]]
