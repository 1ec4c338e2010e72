#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Command lines: what each prints and how it exits. A row is
#     row EXIT STREAM PATTERN 'ARGUMENTS'
# STREAM is out or err; PATTERN is an extended regular expression that must match somewhere in what came there
# (^ and $ are its very beginning and end), or =TEXT for exactly TEXT without the last newline. ARGUMENTS are
# read by the shell, so they may redirect and pipe. $T is a fresh folder and $S the source folder. A command
# that exits with 2 must leave stdout empty.
# Usage: tests/test_cli.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "$1")
S=$2
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
rows=0 failures=0

tetralab() {
    "$program" "$@"
}

row() {
    local expected=$1 stream=$2 pattern=$3 arguments=$4 out err text code good=1
    rows=$((rows + 1))
    eval "tetralab $arguments" >"$T/.out" 2>"$T/.err" </dev/null
    code=$?
    out=$(tr -d '\0' <"$T/.out") err=$(tr -d '\0' <"$T/.err")
    [[ $stream == out ]] && text=$out || text=$err
    [[ $code == "$expected" ]] || good=
    if [[ $pattern == =* ]]; then
        [[ $text == "${pattern#=}" ]] || good=
    else
        [[ $text =~ $pattern ]] || good=
    fi
    [[ $code != 2 || -z $out ]] || good=
    [[ $good ]] && return
    failures=$((failures + 1))
    printf 'FAILED: tetralab %s\n  expected exit %s, std%s: %s\n' "$arguments" "$expected" "$stream" "$pattern"
    printf '  exit %s\n  stdout: %.2000s\n  stderr: %.2000s\n' "$code" "$out" "$err"
}

# The frame
row 0 out '^tetralab [0-9]+\.[0-9]+\.[0-9]+ \(kernel [a-z0-9]+\)$' '--version'
row 0 out '^Tetralab is .*Usage: tetralab COMMAND' '--help'
row 0 out '  play .*  strategies .*  features .*  bench .*  perft ' '--help'
row 0 out '^Tetralab is ' '-h'
row 2 err '^Tetralab is ' ''
row 2 err "=tetralab: unknown command 'paly'; did you mean play? Try 'tetralab --help'." 'paly bcts'
row 2 err "=tetralab: unknown command ''. Try 'tetralab --help'." "''"
row 2 err '^tetralab: unknown option --verison; ' '--verison'
row 1 err '=tetralab: cannot write the standard output: No space left on device.' '--help >/dev/full'
row 0 out '^Usage: tetralab perft ' 'help perft'
row 2 err "^tetralab learn: 'tetris-du-10x20' is not an instance of the benchmark; did you mean tetris-du-10x" 'learn --instance tetris-du-10x20'
row 2 err '=tetralab evaluate: --features belongs to what tetris-du-10x10-games fixes: leave it out, or --instance.' 'evaluate --instance tetris-du-10x10-games --features bdu'
row 2 err '=tetralab evaluate: --number belongs to --instance.' 'evaluate --number 3'
row 2 err '=tetralab evaluate: --algorithm belongs to --iohprofiler.' 'evaluate --algorithm mine'
row 1 err '^tetralab evaluate: cannot make the folder .*/none/log: No such file' "evaluate --iohprofiler $T/none/log"
row 2 err "=tetralab help: 'prefd' is not a command; did you mean perft?" 'help prefd'
row 2 err '^tetralab help: name one command, or none; ' 'help play measure'
row 2 err '^tetralab help: name one command, or none; ' 'help play --completion'
row 0 out '^\.TH "TETRALAB-MPI" "1" ' 'help --man tetralab-mpi'

row 2 err "=tetralab: unknown command 'pl?[31may'. Try 'tetralab --help'." "$'pl\e[31may'"
row 2 err 'got .\?\[1m.\.' "play bcts --games $'\e[1m'"

# Closed streams: what is written to them is in no file
row 1 err '^tetralab: cannot write the standard output: Bad file descriptor\.$' '--help >&-'
row 1 out '^$' "measure bcts --board 6x8 --precision 50% --journal $T/closed <&- >&- 2>&-"
row 0 err '^$' "report $T/closed"

# A file that may not grow is a write error, and nothing is left
row 1 err '^tetralab play: cannot write .*/limited: File too large\.$' "--version >/dev/null; (ulimit -f 1; tetralab play bcts --board 6x8 --games 200 --json $T/limited)"
row 0 out '^$' "--version >/dev/null; ls $T | grep limited; true"

# Nothing is written over what is read, nor over what another option writes
tetralab strategies bcts >"$T/read.json"
ln "$T/read.json" "$T/same-file"
ln -s read.json "$T/link-to-it"
ln -s nothing "$T/to-nothing"
for name in read.json ../"${T##*/}"/read.json same-file link-to-it; do
    row 2 err '=tetralab play: --json cannot go to '"$T/read.json, which is read: give another file." "play $T/read.json --board 6x8 --games 1 --json $T/$name"
done
row 2 err '^tetralab report: --csv cannot go to .*, which is read' "report $T/closed --csv $T/closed"
row 2 err '^tetralab measure: --journal and --json cannot both go to ' "measure bcts --board 6x8 --journal $T/k --json $T/k"
row 2 err '^tetralab perft: --json cannot go to .*, which is read' "perft --from $T/read.json --json $T/read.json"
mkdir "$T/held" && : >"$T/held/p0-5x5.jsonl"
row 2 err '=tetralab reproduce: --csv cannot go to '"$T/held/p0-5x5.jsonl, which is in the folder of --out: give another file." \
    "reproduce report --out $T/held --csv $T/held/p0-5x5.jsonl"
row 0 out '^-----$' "strategies bcts --json $T/other.json; cmp $T/read.json $T/other.json && echo -----"
row 1 err 'to-nothing is a link to a file that does not exist' "play bcts --board 6x8 --games 1 --json $T/to-nothing"
row 1 err 'read.json is there and is no strategy of solve' "solve --board 4x4 --out $T/read --check-games 0"
row 1 err 'where the table to be played goes: set TMPDIR' "--version >/dev/null; TMPDIR=/nowhere tetralab solve --board 5x6"

# Cells that begin like formulas, and signs that Markdown takes for its own
sed 's/"bcts"/"=1+1|`x`<b>"/' "$T/read.json" >"$T/formula.json"
row 0 out "'=1\+1\|.x.<b>,5x6" "measure $T/formula.json --board 5x6 --precision 50% --csv -"
row 0 out '[=]1\+1\\\|\\.x\\.\\<b' "measure $T/formula.json --board 5x6 --precision 50% --markdown -"

# Every command: help and unknown options
row 0 out '^Usage: tetralab play STRATEGY.*--games .*--help  +Show this text\.$' 'play --help'
row 0 out '^Usage: tetralab strategies ' 'strategies --help'
row 0 out '^Usage: tetralab features ' 'features --help'
row 0 out '^Usage: tetralab bench ' 'bench --help'
row 0 out '^Usage: tetralab perft ' 'perft --help'
row 0 out '^Usage: tetralab play ' 'play --nonsense -h'
row 2 err '^tetralab play: unknown option --gmaes; did you mean --games\?.Try .tetralab play --help.\.$' 'play --gmaes 3'
row 2 err '^tetralab strategies: unknown option --x\.' 'strategies --x'
row 2 err '^tetralab features: unknown option --x\.' 'features --x'
row 2 err '^tetralab bench: unknown option --x\.' 'bench --x'
row 2 err '^tetralab perft: unknown option --x\.' 'perft --x'

# The words of an option
row 2 err '^tetralab play: option --games is given twice\.' 'play bcts --games 3 --games 4'
row 2 err '^tetralab play: option --seed is given twice\.' 'play bcts --seed 1 --seed=2'
row 2 err '^tetralab play: option --board needs an argument: --board WxH\.' 'play bcts --board'
row 2 err '^tetralab play: option --json needs an argument: --json FILE\.' 'play bcts --json --show'
row 2 err '^tetralab play: option --show takes no argument, got .yes.\.' 'play bcts --show=yes'
row 2 err '^tetralab play: option --help takes no argument, got .me.\.' 'play bcts --help=me'
row 2 err '^tetralab play: unknown option -g\.' 'play bcts -g 3'
row 0 out '^4x4, strict overflow' 'play --overflow=strict --games=1 --board 4x4 bcts'

# Boards: every impossible one gets the same sentence, which names the range
for board in 0x0 15x20 10x28 3x20 10x3 4x 10 10x20x5 -4x5 4.5x5 '10 x 20' 10X20 0x14 99999999999999999999x20 ten; do
    row 2 err "^tetralab play: --board: The board \"$board\" is not possible: give WIDTHxHEIGHT with a width of 4 \
to 14 and a height of 4 to 27, as in 10x20\..Try 'tetralab play --help'\.$" "play bcts --board '$board'"
done
row 2 err '^tetralab play: --board: The board "" is not possible: ' "play bcts --board ''"
row 2 err '^tetralab bench: --board: The board "15x20" is not possible: ' 'bench --board 15x20'
row 2 err '^tetralab perft: --board: The board "0x0" is not possible: ' 'perft --board 0x0'
row 2 err '^tetralab features: --board: The board "10x28" is not possible: ' 'features --board 10x28'

# Rules
row 2 err '^tetralab play: --overflow: expected lenient, strict or touch, got .soft.\.' \
    'play bcts --overflow soft'
row 2 err '^tetralab play: --gameover: expected avoid or evaluate, got .never.\.' \
    'play bcts --gameover never'
row 2 err '^tetralab play: --rules: expected simplified or original, got .fahey.\.' \
    'play bcts --rules fahey'
row 2 err '^tetralab play: The original rules and the overflow rule touch exclude each other: ' \
    'play bcts --rules original --overflow touch'
row 2 err '--pieces: The weight of S in "S:-1" is -1: give a finite number that is 0 or more\.' 'play bcts --pieces S:-1'
row 2 err '--pieces: The weight of S in "S:nan" is nan: ' 'play bcts --pieces S:nan'
row 2 err '--pieces: The weight of Z in "S:1,Z:inf" is inf: ' 'play bcts --pieces S:1,Z:inf'
row 2 err '--pieces: The piece weights "Q:1" have no PIECE:WEIGHT at character 1: ' 'play bcts --pieces Q:1'
row 2 err '--pieces: The piece weights "S:3,,Z:3" have no PIECE:WEIGHT at character 5: ' 'play bcts --pieces S:3,,Z:3'
row 2 err '--pieces: The piece weights "S:" have no number for S \(character 3\): ' 'play bcts --pieces S:'
row 2 err '--pieces: The piece weights "S:1,S:2" give S twice \(character 5\): ' 'play bcts --pieces S:1,S:2'
row 2 err '--pieces: The piece weights "S:0,Z:0" are all 0: ' 'play bcts --pieces S:0,Z:0'
row 2 err '--pieces: The pieces "unifrom" are neither uniform, hard, sz or bag, nor weights such as S:3,Z:3, nor a file' \
    'play bcts --pieces unifrom'
printf '# two lines\nOIS\nZLX\n' >"$T/letters"
row 2 err "--pieces: $T/letters:3:3: expected a piece, one of OISZLJT, found 'X'\." 'play bcts --pieces $T/letters'
printf '# none\n' >"$T/letters"
row 2 err "--pieces: $T/letters: there is no piece in the recorded sequence: " 'play bcts --pieces $T/letters'
printf 'OISZ LJT\n' >"$T/letters"
row 0 out 'lines   [0-9]+.*pieces  7.*game    no pieces left' 'play bcts --pieces $T/letters --games 1 --show'

# Numbers
row 2 err '^tetralab play: --jobs: .* from 1 to 1024, got .0.\.' 'play bcts --jobs 0'
row 2 err '^tetralab play: --jobs: .* from 1 to 1024, got .1025.\.' 'play bcts --jobs 1025'
row 2 err '^tetralab play: --games: .* from 1 to 10000000, got .0.\.' 'play bcts --games 0'
row 2 err '^tetralab play: --games: .* from 1 to 10000000, got .1\.5.\.' 'play bcts --games 1.5'
row 2 err '^tetralab play: --games: .* from 1 to 10000000, got .1e9.\.' 'play bcts --games 1e9'
row 2 err '^tetralab play: --max-pieces: .* from 1 to 1e\+18, got .0.\.' 'play bcts --max-pieces 0'
row 2 err '^tetralab play: --max-pieces: .* from 1 to 1e\+18, got .-5.\.' 'play bcts --max-pieces -5'
row 2 err '^tetralab play: --seed: .* from 0 to 18446744073709551615, got .-1.\.' 'play bcts --seed -1'
row 2 err '^tetralab play: --seed: .* got .18446744073709551616.\.' 'play bcts --seed 18446744073709551616'
row 2 err '^tetralab play: --seed: .* got .0x1.\.' 'play bcts --seed 0x1'
row 0 out 'seed 18446744073709551615' 'play bcts --seed 18446744073709551615 --board 4x4 --games 1'
row 2 err '^tetralab play: --until: expected a percentage from 0\.1% to 1000%, got .0%.\.' 'play bcts --until 0%'
row 2 err '^tetralab play: --until: expected a percentage from 0\.1% to 1000%, got .nan.\.' 'play bcts --until nan'
row 2 err '^tetralab play: --until: expected a percentage .* got .5%%.\.' 'play bcts --until 5%%'
row 2 err '^tetralab bench: --seconds: expected a number from 0\.01 to 3600, got .0.\.' 'bench --seconds 0'
row 2 err '^tetralab perft: --depth: .* from 1 to 7, got .8.\.' 'perft --depth 8'

# Kernels
row 2 err '^tetralab play: --kernel: "plian" is not a kernel of this build; did you mean "plain"\?' 'play bcts --kernel plian'
row 2 err '^tetralab bench: --kernel: "plian" is not a kernel' 'bench --kernel plian'

# Options that contradict each other
row 2 err '=tetralab play: --games and --until exclude each other: give one of them.' 'play bcts --games 3 --until 5%'
row 2 err '=tetralab play: --record writes one game: give one strategy, not 2.' 'play bcts bdu --record $T/game'
row 2 err '^tetralab play: --json: expected FILE, got nothing\.' 'play bcts --json='
row 2 err '=tetralab play: --record and --json cannot both go to the standard output.' 'play bcts --record - --json -'
row 2 err "=tetralab play: --record and --json cannot both go to $T/same." 'play bcts --record $T/same --json $T/same'
row 2 err '^tetralab play: --replay shows what was recorded: it goes without strategies\.$' 'play bcts --replay $T/game'
row 2 err '^tetralab play: --replay shows what was recorded: only --json and --show go with it, not --games' 'play --games 5 --replay $T/game'
row 2 err '^tetralab play: --record and --json cannot both go to ' 'play bcts --board 6x6 --games 1 --json $T/same --record $T/./same'
row 2 err '^tetralab play: --replay shows what was recorded: only --json and --show go with it, not --board' 'play --replay $T/game --board 9x9'
row 2 err '^tetralab features: --json is for the list; ' 'features --boards - --json -'
row 2 err '^tetralab features: --markdown prints the list: ' 'features --markdown --json -'
row 2 err '^tetralab features: expected options only, found "holes"; ' 'features holes'
row 2 err '^tetralab features: --time plays its own boards: ' 'features --time 10 --boards -'
row 2 err '^tetralab features: --time plays its own boards: ' 'features --time 10 --markdown'
row 2 err '=tetralab features: --kernel is for --time N, which was not given.' 'features --kernel plain'
row 2 err '=tetralab features: --seed is for --time N, which was not given.' 'features --seed 3'
row 2 err '^tetralab features: --time: ' 'features --time 0'
row 2 err '=tetralab features: --piece is for --boards FILE, which was not given.' 'features --piece T'
row 2 err '^tetralab features: --piece: "X" is not a piece; give one letter of OISZLJT\.' 'features --piece X --boards -'
row 2 err '^tetralab features: --piece: "TT" is not a piece; give one letter of OISZLJT\.' 'features --piece TT --boards -'
row 0 out '^no\.  name .* 1  jags .* pits .* all .*1,500 boards of dellacherie' 'features --time 1500 --board 5x6 --kernel plain'
row 0 out '"reference_ns": .*"share": .*"kernel_ns": .*"total_reference_ns": .*"boards": 100, .*"kernel": "plain"' \
    'features --time 100 --kernel plain --json - | tr -d "\n" | tr -s " "'
row 2 err '^tetralab bench: bench takes options only: ' 'bench bcts'
row 2 err '^tetralab perft: perft takes options only: ' 'perft 3'
row 2 err '=tetralab perft: --piece X: expected one letter of OISZLJT.' 'perft --piece X'
row 2 err '=tetralab perft: --piece O: this piece never comes with --pieces sz.' 'perft --piece O --pieces sz'
row 2 err '^tetralab perft: perft counts independent pieces, ' 'perft --pieces bag'

# Strategies: a wrong word is wrong usage (2), a wrong file is a failure (1)
row 2 err '^tetralab play: name at least one strategy, such as bcts or a file; ' 'play'
row 2 err '=tetralab play: "bcst" is neither a built-in strategy nor a file; did you mean "bcts"? (tetralab strategies lists the built-in ones)' \
    'play bcst'
row 2 err 'did you mean "dellacherie-first"\?' 'play bcts delacherie-first --games 10000000'
row 2 err 'did you mean "fahey-1"\?' 'bench --strategy fahey_1'
row 2 err 'did you mean "xtris"\?' 'strategies xtri'
row 2 err 'is neither a built-in strategy nor a file' "play ''"
row 2 err '=tetralab strategies: expected one strategy, found 2: print them one at a time.' 'strategies bcts bdu'
row 2 err '=tetralab play: bdu: column-heights has 10 weights but needs 9 on a board of 9 columns.' 'play bcts bdu --board 9x20'
row 2 err '^tetralab play: fahey: it clears rows late, which needs a board at most 25 rows high, not 27' 'play fahey --board 10x27'
row 2 err '^tetralab bench: bdu: column-heights has 10 weights' 'bench --strategy bdu --board 9x9'
row 0 out '^10x23' 'play fahey --board 10x23 --games 1 --max-pieces 20'
row 1 err "=tetralab play: cannot read $T/none.json: No such file or directory." 'play $T/none.json'
row 1 err "=tetralab play: cannot read $T: Is a directory." 'play $T'
row 1 err '^tetralab play: standard input:1:1: is no strategy: expected a JSON object' 'play -'
row 0 out '"name": "small"' 'strategies $S/tests/strategies/small.json'
row 0 out '"name": "bcts-expectimax".*"player": "expectimax".*"depth": 2.*"holes": -13.08335' 'strategies bcts --player expectimax'
row 0 out '"name": "mine".*"player": "greedy"' 'strategies bcts-ahead --player greedy --name mine'
row 0 out '"player": "expectimax".*"ties": "centre"' 'strategies tetr-ai --player expectimax'
row 2 err '=tetralab strategies: uct has no rating that another player could use.' 'strategies uct --player greedy'
row 2 err '=tetralab strategies: fahey: "clear": "late" needs "player": "two-piece".' 'strategies fahey --player greedy'
row 2 err '=tetralab strategies: tetr-ai: "ties": "centre" is not for "player": "uct": give first or random.' 'strategies tetr-ai --player uct'
row 2 err '=tetralab strategies: network: "hidden" needs "player": "greedy" or "two-piece".' \
    'strategies $S/tests/strategies/network.json --player expectimax'
row 0 out '^10x20.*network-two-piece' 'strategies $S/tests/strategies/network.json --player two-piece | tetralab play - --games 1 --max-pieces 9'
# What is printed for another player can be read; a name that becomes too long is cut between letters.
for name in $(tetralab strategies --json - | sed -n 's/^  "name": "\(.*\)",/\1/p'); do
    for player in greedy two-piece expectimax uct; do
        tetralab strategies "$name" --player "$player" >"$T/other.json" 2>/dev/null || continue
        row 0 out "\"name\": \"$name-$player\"" 'strategies $T/other.json'
    done
done
printf '{"name": "a%s", "weights": {"holes": -4}}' "$(printf 'ä%.0s' {1..30})" >"$T/long.json"
mkdir -p "$T/run/bcts" && pushd "$T/run" >/dev/null || exit 1 # a folder of that name
row 0 out '"name": "bcts-expectimax"' 'strategies bcts --player expectimax'
row 1 err 'There is no run in [.]/bcts' 'strategies ./bcts'
popd >/dev/null || exit 1
row 0 out '"name": "a(ä){24}\.\.\.-expectimax",' 'strategies $T/long.json --player expectimax'
row 2 err '=tetralab td: --optimism is for a beginning from nothing: leave it or --start out.' 'td --start x.patterns --optimism 3'
row 2 err '=tetralab strategies: --player and --name are for a strategy that is printed: name one.' 'strategies --player greedy'

# file NAME TEXT: writes a file of the test; \ and % as for printf
file() {
    printf "$2" >"$T/$1"
}
# bad NAME TEXT SENTENCE: a strategy file with this text is refused with "FILE:SENTENCE"
bad() {
    file "$1" "$2"
    row 1 err "=tetralab strategies: $T/$1:$3" "strategies \$T/$1"
}
bad a.json '' '1:1: expected "{", found the end of the file.'
bad a.json '{"weights": {"holes": -4' '1:25: expected "," or "}", found the end of the file.'
bad a.json '{"weights": {"holes": -4}' '1:26: expected "," or "}", found the end of the file.'
bad a.json '{"weights":\n {"hol' '2:3: this text has no closing quote.'
bad a.json '{"weights": {"holes": -4}} x' '1:28: expected the end of the file, found "x".'
bad a.json '{"weights": {"holes": NaN}}' '1:23: expected a value, found "NaN"; numbers must be finite.'
bad a.json '{"weights": {"holes": Infinity}}' '1:23: expected a value, found "Infinity"; numbers must be finite.'
bad a.json '{"weights": {"holes": -Infinity}}' '1:23: expected a value, found "-Infinity"; numbers must be finite.'
bad a.json '{"weights": {"holes": 1e999}}' '1:23: the number "1e999" is too large.'
bad a.json '{"weights": {"holes": 1e101}}' '1:23: "holes" is 1e+101; it must lie between -1e+100 and 1e+100.'
bad a.json '{"weights": {"holes": "-4"}}' '1:23: "holes" needs a number, found a text.'
bad a.json '{"weights": {"hoels": -4}}' '1:14: "hoels" is not a feature; did you mean "holes"?'
bad a.json '{\n  "weights": {\n    "holes": -4,\n    "landing-hight": -1\n  }\n}\n' \
    '4:5: "landing-hight" is not a feature; did you mean "landing-height"?'
bad a.json '{"wieghts": {"holes": -4}}' '1:2: "wieghts" is not a key of a strategy; did you mean "weights"?'
bad a.json '{"name": "x"}' '1:1: "weights" is missing; add "weights": {"holes": -4, ...}.'
bad a.json '{"weights": {"holes": -4, "holes": -3}}' '1:27: the key "holes" is there twice.'
bad a.json '{"weights": {"column-heights": [1, 2]}}' \
    '1:32: "column-heights" needs a list of 4 to 14 numbers, found a list of 2.'
bad a.json '{"player": "ucb", "weights": {"holes": -4}}' '1:12: "player" must be "greedy", "two-piece", "expectimax", "beam", "uct", "table", "patterns" or "tbp", found "ucb".'
bad a.json '{"clear": "late", "weights": {"holes": -4}}' '1:11: "clear": "late" needs "player": "two-piece".'
bad a.json '{"name": "a\xffb", "weights": {"holes": -4}}' '1:12: the byte 0xFF is no UTF-8; save the file as UTF-8.'
bad a.json '{"name": "\xed\xa0\x80", "weights": {"holes": -4}}' '1:11: the byte 0xED is no UTF-8; save the file as UTF-8.'
bad a.json '{"weights": {"holes": -4}}\0' '1:27: the control character 0x00 is not allowed here.'
bad a.json '[{"weights": {"holes": -4}}]' '1:1: expected an object, which begins with "{", found a list.'
bad a.json '{"hidden": [], "weights": {"holes": -4}}' '1:2: "hidden" needs "rating": "network".'
bad a.json '{"rating": "network", "hidden": [{"output": 1}]}' '1:34: "weights" of this hidden unit is missing; add it.'
bad a.json '{"rating": "network", "weights": {"column-heights": [1, 2, 3, 4]}}' \
    '1:35: "column-heights" has several values; the inputs of a network have one value each.'
row 0 out '"hidden": \[.*"bias": 2,.*"output": 1,.*"weights": ' 'strategies $S/tests/strategies/network.json'
row 0 out 'network .* 3 ' 'play $S/tests/strategies/network.json --board 10x8 --games 3 --max-pieces 50'
head -c 1048577 /dev/zero | tr '\0' ' ' >"$T/huge.json"
row 1 err "=tetralab strategies: $T/huge.json: has 1048577 bytes; a strategy file has at most 1048576." 'strategies $T/huge.json'
row 1 err '=tetralab play: /dev/zero is larger than 64 MiB, the most that is read.' 'play /dev/zero'
head -c 100000 /dev/zero | tr '\0' '[' >"$T/deep.json"
row 1 err "=tetralab strategies: $T/deep.json:1:2049: the brackets are nested more than 2,048 deep." 'strategies $T/deep.json'
file power.json '{"rating": "exponential", "weights": {"holes": -4}, "exponents": {"holes": -1}}'
row 1 err '=tetralab play: power: the exponent -1 makes the rating infinite at holes = 0; use one that is not negative.' \
    'play $T/power.json'
row 1 err '^tetralab bench: power: the exponent -1 makes the rating infinite' 'bench --strategy $T/power.json'

bad a.dat '' '1:1: expected the number of the reward, found the end of the file.'
bad a.dat 'x\n' '1:1: expected the number of the reward, found "x".'
bad a.dat '7\n-1\n1\n1 3\n' '1:1: reward 7 cannot be imported; 0 (none), 1 (removed lines) and 2 (constant) can.'
bad a.dat '0\n-1\n0\n' '3:1: expected at least 1 weight, found 0.'
bad a.dat '0\n-1\n2\n1 -3\n' '5:1: expected weight 2 of the 2 that line 3 announces, found the end of the file.'
bad a.dat '0\n-1\n1\n12 3\n' '4:1: feature 12 is unknown; 1 to 9, -1, -2 and -6 can be imported.'
bad a.dat '0\n-1\n1\n1 nan\n' '4:3: expected a finite weight, found "nan".'
bad a.dat '0\n-1\n1\n1\n' '4:2: expected a finite weight, found the end of the line.'
bad a.dat '0\n-1\n1\n1 -3' '4:1: this line has no end, so the file may be cut off; if it is whole, add a newline.'
bad a.dat '0\n-1\n1\n1 -3\n2 1\n' '5:1: expected the end of the line, found "2".'
bad a.dat '0\n-1\n2\n1 -3\n1 -4\n' '5:1: feature 1 (landing-height) has more than its 1 weight.'

# Boards
# board TEXT SENTENCE: a file of boards with this text is refused
board() {
    file boards "$1"
    row 1 err "=tetralab features: $T/boards:$2" 'features --boards $T/boards'
}
board '..x.......\n' "1:3: expected '#' (filled) or '.' (empty), found 'x'."
board '#.\n' '1:3: expected 10 cells in the row, found 2; --board sets the width.'
board '#.........\n\n###########.\n' '3:11: expected the end of the row after 10 cells, found 12 cells; --board sets the width.'
board '##########\n' '1:1: the row is full: a board is given after clearing, so take the row out.'
board '#.........\n\xff\n' "2:1: expected '#' (filled) or '.' (empty), found byte 0xff."
board '#....\0....\n' ' found a 0 byte; boards are text.'
board "$(printf '#.........\\n%.0s' {1..21})" '21:1: expected at most 20 rows in a board, found another one; --board sets the height.'
file boards '#...\n\n#.#.\n.#.#\n'
row 0 out '^[{]"jags": 1, .*"column-heights": \[1, 0, 0, 0\].*[{]"jags": 3, .*"column-heights": \[2, 1, 2, 1\]' \
    'features --board 4x20 --boards $T/boards'
row 1 err "=tetralab features: cannot read $T/none: No such file or directory." 'features --boards $T/none'

# Pictures
$program play bcts --board 6x6 --games 1 --record "$T/lost.game" >/dev/null
row 0 out '^<svg ' 'draw $T/lost.game --out -'
row 2 err '^tetralab draw: say where the picture goes: ' 'draw $T/lost.game'
row 2 err '^tetralab draw: name one file' 'draw'
row 1 err '^tetralab serve: the page is not in .*/nowhere: .make web. builds it' 'serve --page $T/nowhere'
row 2 err '^tetralab serve: --port: ' 'serve --port 70000'
row 2 err '^tetralab draw: --out .*bmp: the name must end in \.svg, \.png or \.gif' 'draw $T/lost.game --out $T/lost.bmp'
row 2 err '^tetralab draw: --from and --last both say where to begin' 'draw $T/lost.game --out $T/x.svg --from 1 --last 2'
row 2 err '^tetralab draw: --out cannot go to .*, which is read' 'draw $T/lost.game --out $T/lost.game --format svg'
row 1 err 'lost\.game has 21 rounds: from 30 to 21 there is nothing to show\.$' 'draw $T/lost.game --out $T/x.svg --from 30'
row 1 err 'holds boards; a film \(\.gif\) is made of a recorded game' 'draw $T/boards --out $T/x.gif'
row 1 err ' holds no boards of ' 'draw /dev/null --out $T/x.svg'
row 1 err "=tetralab perft: cannot read $T/none: No such file or directory." 'perft --from $T/none'
row 1 err '=tetralab perft: /dev/null: there is no board in this file.' 'perft --from /dev/null'

# Recorded games
row 0 out 'bcts +9 ' 'play bcts --board 6x6 --games 1 --record $T/game'
row 0 out '^bcts, seed 1, game 0.*lines   9.*pieces  20.*game    over' 'play --replay $T/game'
row 0 out '^[{]"strategy": "[a-z0-9-]+", "pieces": [0-9]+, "lines": 9, .*"end": "(lost|stopped)",' 'play --replay $T/game --json - | tr -s "\n " " " | sed "s/{ /{/"'
row 0 out '^tetralab record 1' 'play bcts --board 6x6 --games 1 --record -'
# replay SED_SCRIPT SENTENCE: the recorded game, edited, is refused
replay() {
    sed "$1" "$T/game" >"$T/edited"
    row 1 err "^tetralab play: $T/edited:$2" 'play --replay $T/edited'
}
replay '1,$d' ' the file is empty: expected a record\.$'
replay 's/tetralab record 1/hello/' '1:1: expected "tetralab record 1", found "hello"\.$'
replay 's/tetralab record 1/tetralab game 1/' '1:1: this is a record of an earlier version, which is not read any more: record it again\.$'
replay '2s/6x6/16x6/' '2:7: The board "16x6" is not possible: '
replay '/^overflow/d' '10:1: the line "overflow \.\.\." is missing before the moves\.$'
replay '2p' '3:1: the line "board \.\.\." is there twice\.$'
replay 's/^seed 1/seed 99999999999999999999/' '8:6: expected a whole number \(10k and 5M are understood\) from 0 to 18446744073709551615, got .99999999999999999999.\.$'
replay '$d' '14: the line "end \.\.\." is missing: the record was cut off\.$'
replay 's/ state over.*//' '13:1: the moves make "seat 1 \.\.\. columns 0,1f,1f,1f,1f,3f state", but the record says "seat 1 \.\.\. columns 0,1f,1f,1f,1f,3f"\.$'
replay '11s/O0:0/O1:0/' '11:8: expected the number of an orientation of this piece, found "1:0"\.$'
replay '11s/O0:0/O0:99/' '11:10: expected a column on the board, the left one being 0, found "99"\.$'
replay '11s/O0:0/O0:5/' '11:7: the move O0:5 of player 1 is not possible on a board 6x6 with these walls\.$'
replay '11s/O0:0/O0:3/' '[0-9]+:[0-9]+: (round|the moves|player 1) '
replay 's/^seed 1/seed 2/' '11:7: player 1 places a O \(O0:0\), but the piece in hand is a J \(pieces uniform, seed 2, game 0\)\.$'
replay 's/lines 9/lines 10/' '13:1: the moves make "seat 1 \.\.\. lines 9", but the record says "seat 1 \.\.\. lines 10"\.$'
replay 's/columns 0/columns 1/' '13:1: the moves make "seat 1 \.\.\. columns 0,1f,1f,1f,1f,3f", but the record says "seat 1 \.\.\. columns 1,1f'
row 0 out '^bcts, seed 1, game 0.*Round 0.*Round 20.*lines   9' 'play --replay $T/game --show'
row 0 out 'Round 20.*LLLLLL.*pieces  20.*Round 21.*The end.*game    over' 'play --replay $T/game --show'
row 1 err "=tetralab play: cannot read $T/none: No such file or directory." 'play --replay $T/none'
row 1 err '=tetralab play: /dev/zero is larger than 64 MiB, the most that is read.' 'play --replay /dev/zero'

# explain
row 0 out 'ZZZZ.*record  Z1:4.*chosen, as recorded.*together.*-264\.977.*takes the least change, 76\.3 %, in row-transitions: above -2\.186 ' 'explain bcts --game $T/game --move 5'
row 0 out '^xtris, move 21 of .*rank ' 'explain xtris --game $T/game'
row 0 out 'O0:8 may be chosen with the weights as they are: ' 'explain xtris --piece O'
row 0 out 'Every move ends the game: the player makes none' 'explain bcts --game $T/game --move 21'
row 0 out '"strategy":"bcts","board":\["#\.+".*"piece":"Z","next":"O","recorded":"Z1:4","move":"Z1:4".*"chosen_between":\[null,-2\.18' 'explain bcts --game $T/game --move 5 --json -'
row 0 out 'Values are those of the best pairs' 'explain fahey --piece T --next I'
row 1 err 'game has 21 moves: there is no move 22\.$' 'explain bcts --game $T/game --move 22'
row 1 err 'game has 1 player: there is no seat 2\.$' 'explain bcts --game $T/game --seat 2'
row 2 err 'explain: give the piece in hand, as in --piece T' 'explain bcts'
row 2 err 'explain: --piece: expected letters' 'explain bcts --piece x'
row 2 err 'explain: --game has its own board, pieces and rules: it goes without --board\.$' 'explain bcts --game $T/game --board 6x6'
row 2 err 'explain: --move and --seat are for a recorded game' 'explain bcts --piece T --move 3'
row 2 err 'explain asks one strategy' 'explain bcts fahey --piece T'
row 1 err 'standard input holds no board' 'explain bcts --piece T --position -'
printf '#.........\n\n#.........\n' >"$T/two"
row 1 err 'two holds more than one board: explain takes one\.$' 'explain bcts --piece T --position $T/two'
echo '##########' >"$T/full"
row 1 err 'full:1:1: the row is full: ' 'explain bcts --piece T --position $T/full'

# measure and report
row 0 out '^Usage: tetralab measure STRATEGY.*--precision .*--method .*--journal ' 'measure --help'
row 0 out '^Usage: tetralab report JOURNAL.*--csv ' 'report --help'
row 2 err '^tetralab measure: name at least one strategy, ' 'measure'
row 2 err '^tetralab measure: unknown option --precison; did you mean --precision\?' 'measure bcts --precison 5'
row 2 err "--precision: expected a percentage from 0\.1% to 1000%, got 'abc'\." 'measure bcts --precision abc'
row 2 err '--method: expected auto, games, splitting or heights, got .gmaes.\.' 'measure bcts --method gmaes'
row 2 err '^tetralab measure: unknown option --max-pieces\.' 'measure bcts --max-pieces 1000'
row 2 err '^tetralab measure: --base and --trials belong to --method splitting, not to games\.$' \
    'measure bcts --method games --base 3'
row 2 err '^tetralab measure: --base must be at most 6 on a board 8 rows high\.$' 'measure bcts --board 10x8 --base 9'
row 2 err '^tetralab measure: --json and --csv cannot both go to the standard output' 'measure bcts --json - --csv -'
row 2 err '^tetralab measure: a journal is a file' 'measure bcts --journal -'
row 2 err '^tetralab measure: --resume takes strategies, rules, seed and method from the journal' \
    'measure bcts --resume $T/journal'
row 2 err '^tetralab measure: --resume takes ' 'measure --board 10x10 --resume $T/journal'
row 1 err "=tetralab measure: cannot read $T/none: No such file or directory." 'measure --resume $T/none'
row 1 err "^tetralab measure: cannot write $T/none/file: No such file or directory\.$" 'measure bcts --journal $T/none/file'
row 1 err "^tetralab measure: cannot write $T: Is a directory\.$" 'measure bcts --csv $T'
row 2 err '^tetralab report: name at least one journal; ' 'report'
row 1 err "=tetralab report: cannot read $T/none: No such file or directory." 'report $T/none'
row 0 out 'bcts  [0-9.]+ lines .*%  \([0-9.]+ \.\. [0-9.]+\)  [0-9,]+ games, ' \
    'measure bcts --board 5x5 --precision 10% --journal $T/journal --markdown $T/markdown'
row 0 out '\| bcts \| 5×5 \| lenient, avoid, uniform \| games, [0-9,]+ games \| ' 'report $T/journal'
row 0 out '^$' 'report $T/journal 2>&1 | diff - $T/markdown'
row 0 out '^strategy,board.*bcts,5x5,lenient,avoid,simplified,uniform,games,' 'report $T/journal --csv -'
row 0 out '\| games, [0-9,]+ games, unfinished \| [0-9.]+ .* \| 1 \|$' \
    '--version >/dev/null; grep -v "\"result\"" $T/journal >$T/half; tetralab report $T/half'
row 0 err '^tetralab report: bcts of .* has no result yet and is given as far as it is known; ' 'report $T/half'
row 0 out ',unfinished$' 'report $T/half --csv -'
row 0 err '^tetralab measure: bcts of .* was begun by version 0\.0\.0, this is [0-9.]+: ' \
    '--version >/dev/null; sed "s/\"version\":\"[^\"]*\"/\"version\":\"0.0.0\"/" $T/half >$T/old; tetralab measure --resume $T/old'
row 0 out '^bcts  [0-9.]+ k lines ' \
    'measure bcts --board 10x10 --method games --budget-pieces 1000 --journal $T/small >/dev/null; tetralab measure --resume $T/small --budget-pieces 10M --precision 100%'
row 0 out 'The budget of 1\.00 k pieces is too small: the 64 repetitions of 100 trials ' \
    'measure bcts --board 10x12 --method splitting --budget-pieces 1000'
row 0 out 'the interval is from a bootstrap\.' 'measure bcts --board 5x5 --overflow strict'
row 0 out 'the interval is the normal one, from their spread\.' 'measure bcts --board 4x4 --overflow strict --precision 0.7%'
row 0 out 'every measurement in it reached its precision; nothing is left to do\.$' 'measure --resume $T/journal'
row 0 out '^bcts  ' 'measure --resume $T/journal --precision 8%'
# Killed before the second player's turn came: it is measured by --resume.
row 0 out '^dellacherie  [0-9.]+ lines ' \
    'measure bcts dellacherie --board 5x5 --journal $T/both >/dev/null; sed "/\"result\"/q" $T/both >$T/first; tetralab measure --resume $T/first'
row 0 err ':[0-9]+: The file ends within this line .* This line is skipped\.' \
    '--version >/dev/null; printf "{\"kind\":" >>$T/journal; tetralab report $T/journal'
row 1 err "=tetralab measure: $T/empty is no journal of measurements: it has no line that 'tetralab measure --journal FILE' writes." \
    '--version >/dev/null; echo >$T/empty; tetralab measure --resume $T/empty'
row 1 err "=tetralab report: $T/other is no journal of measurements: it has no line that 'tetralab measure --journal FILE' writes." \
    '--version >/dev/null; printf "one\n[2]\n{\"kind\": 3}\n" >$T/other; tetralab report $T/other'
row 1 err "=tetralab report: $T/learned/journal.jsonl is the history of a learning run, not a journal of measurements: 'tetralab plot' draws its folder; measure the player that was learned, best.json." \
    'learn --board 5x5 --objective games --games 1 --generations 2 --out $T/learned >/dev/null 2>&1; tetralab report $T/learned/journal.jsonl'
row 1 err "^tetralab measure: $T/learned/journal\.jsonl is the history of a learning run, " 'measure --resume $T/learned/journal.jsonl'
row 1 err 'There is no plan with its id before\. This line is skipped\..*there is no measurement in this journal\.$' \
    '--version >/dev/null; grep start $T/journal >$T/headless; tetralab report $T/headless'

# Output that cannot be written is told before the games are played: these would take days, and stdout is empty
for command in 'play bcts --games 10000000 --json' 'play bcts --games 10000000 --record' 'perft --depth 7 --json' \
    'bench --seconds 3600 --json'; do
    row 1 err "^tetralab [a-z]+: cannot write $T/none/file: No such file or directory\.$" "$command \$T/none/file"
    row 1 out '^$' "$command \$T/none/file"
    row 1 err "^tetralab [a-z]+: cannot write $T: Is a directory\.$" "$command \$T"
done
row 1 err 'cannot write /dev/full: No space left on device\.$' 'play bcts --board 4x4 --games 1 --json /dev/full'
row 1 err 'cannot write /dev/full: No space left on device\.$' 'play bcts --board 4x4 --games 1 --record /dev/full'
row 1 err 'cannot write /dev/full: No space left on device\.$' 'perft --depth 1 --json /dev/full'
row 1 err 'cannot write /dev/full: No space left on device\.$' 'features --json /dev/full'
row 1 err 'cannot write /dev/full: No space left on device\.$' 'features --time 10 --json /dev/full'
row 1 err 'cannot write /dev/full: No space left on device\.$' 'strategies --json /dev/full'
row 1 err 'No space left on device\.$' 'play bcts --board 4x4 --games 1 >/dev/full'
row 1 err 'No space left on device\.$' 'play bcts --board 4x4 --games 1 --json - >/dev/full'
row 1 err 'No space left on device\.$' 'strategies >/dev/full'
row 1 err 'No space left on device\.$' 'features --boards $T/boards --board 4x20 >/dev/full'
echo old >"$T/kept"
row 1 err 'cannot read' 'play $T/none.json --json $T/kept'
row 0 out '^old$' '--version >/dev/null; cat $T/kept; true'

# Comparing
row 0 out '^Usage: tetralab compare A B \[C\.\.\.\] \[options\].*--sprt ' 'compare --help'
row 2 err '^tetralab compare: unknown option --spr; did you mean --sprt\?' 'compare dellacherie bcts --spr 1,2'
row 2 err '=tetralab compare: name at least two strategies, as in tetralab compare dellacherie bcts.' 'compare bcts'
row 2 err '=tetralab compare: name at least two strategies, as in tetralab compare dellacherie bcts.' 'compare'
row 2 err '=tetralab versus: name at least two strategies, as in tetralab versus fahey bcts.' 'versus bcts'
row 2 err '^tetralab compare: "bcst" is neither a built-in strategy nor a file; ' 'compare bcts bcst'
row 1 err "^tetralab compare: cannot read $T/none.json" 'compare bcts $T/none.json'
row 2 err '=tetralab compare: --sprt tests one strategy against another: give two, not 3.' 'compare bcts bdu ce-d --sprt 1,2'
row 2 err '=tetralab compare: --sprt plays whole games until it knows: it goes without --method and --precision.' \
    'compare bcts bdu --sprt 1,2 --method games'
row 2 err '=tetralab compare: --sprt plays whole games until it knows: it goes without --method and --precision.' \
    'compare bcts bdu --sprt 1,2 --precision 5%'
row 2 err '=tetralab compare: --alpha, --beta and --pairs belong to the sequential test: add --sprt R0,R1.' \
    'compare bcts bdu --pairs 100'
row 2 err '=tetralab compare: --sprt needs two different ratios, such as 1,1.1.' 'compare bcts bdu --sprt 1,1'
for ratios in 1 1, ,1 0,1 1,nan 1,2,3 -1,2 ''; do
    row 2 err "^tetralab compare: --sprt: expected 2 numbers with commas between them, each from 1e-06 to 1000000, got '$ratios'\." \
        "compare bcts bdu --sprt='$ratios'"
done
row 2 err '^tetralab compare: --alpha: expected a number from 0\.0001 to 0\.4, got .0\.5.\.' \
    'compare bcts bdu --sprt 1,2 --alpha 0.5'
row 2 err '^tetralab compare: --pairs: .* from 32 to 1000000, got .5.\.' 'compare bcts bdu --sprt 1,2 --pairs 5'
row 2 err '^tetralab compare: --precision: expected a percentage from 0\.1% to 1000%, got .0%.\.' 'compare bcts bdu --precision 0%'
row 2 err '^tetralab compare: --method: expected auto, games or splitting, got .heights.\.' 'compare bcts bdu --method heights'
row 2 err '=tetralab compare: --json and --csv cannot both go to the standard output.' 'compare bcts bdu --json - --csv -'
row 2 err '^tetralab compare: unknown option --max-pieces\.' 'compare bcts bdu --max-pieces 100'
printf 'OISZ LJT\n' >"$T/letters"
row 1 err '^tetralab compare: A sequential test needs games with different pieces, ' \
    'compare bcts bdu --sprt 1,2 --pieces $T/letters'
row 1 err "^tetralab compare: cannot write $T/none/file: No such file or directory\.$" 'compare bcts bdu --csv $T/none/file'
row 1 err "^tetralab compare: cannot write $T/none/file: No such file or directory\.$" 'compare bcts bdu --json $T/none/file'
row 1 err 'cannot write /dev/full: No space left on device\.$' \
    'compare bcts fahey-1 --board 10x5 --precision 50% --markdown /dev/full'
row 0 out 'bcts +[0-9.]+ .*bcts makes [0-9.]+ \([0-9.]+ \.\. [0-9.]+\) times as many lines as fahey-1\.' \
    'compare fahey-1 bcts --board 10x6 --precision 30% >/dev/null; LC_ALL=C tetralab compare fahey-1 bcts --board 10x6 --precision 30%'
row 0 out '"decision": "better"' 'compare fahey-1 bcts --board 10x6 --precision 30% --json -'
row 0 out '"decision": "worse"' 'compare bcts fahey-1 --board 10x6 --precision 30% --json -'
row 0 out '^strategy,method,.*bcts,games,.*,best,[0-9]+.fahey-1,games,.*,worse,' \
    'compare fahey-1 bcts --board 10x6 --precision 30% --csv -'
row 0 out 'Decision: bcts makes 2 rather than 1 times as many lines as fahey-1 ' 'compare fahey-1 bcts --board 10x8 --sprt 1,2'
row 0 out '"decision": "h0"' 'compare bcts bcts --board 10x6 --sprt 1,2 --json -'
row 0 out 'Decision: fahey-1 beats bcts in 50 % of the games rather than in [0-9.]+ % .*the sign test was used' \
    'compare bcts fahey-1 --board 4x4 --sprt 1,1.5'
row 0 out 'Undecided after 40 pairs of games' 'compare dellacherie bcts --board 10x6 --sprt 1,1.01 --pairs 40'

# Pipes get plain text: no escape sequence, no progress line, and ASCII where the locale knows no more
row 0 out '\+- 22\.9 %' 'play bcts --board 4x4 >$T/plain; LC_ALL=C tetralab play bcts --board 4x4'
row 1 out '^$' 'play bcts --board 4x4 --show >$T/plain; grep -l "$(printf "\033")" $T/plain'

# Plots
row 2 err '^tetralab measure: A plot is written as \.svg, \.png, \.pdf or \.eps, and "[^"]*x\.jpg" ends in none of these' \
    'measure bcts --board 4x4 --plot $T/x.jpg'
row 1 err '^tetralab measure: cannot write .*/none/x\.svg: No such file' 'measure bcts --board 4x4 --plot $T/none/x.svg'
row 1 err 'gnuplot is not installed .*its script is kept: ' \
    'strategies >/dev/null; PATH=$T "$program" measure bcts --board 8x6 --precision 30% --plot $T/x.svg'

# Every command that measures has --csv and --plot
csv() { # HEAD ROWS 'ARGUMENTS': the CSV begins with HEAD and has so many rows under it
    row 0 out "^$1[^
]*(
[^
]+){$2}\$" "$3 --csv -"
}
csv 'strategy,board,overflow,gameover,rules,piece_source,games,censored,mean_lines,low,high,' 2 'play bcts dellacherie --board 4x6 --games 20'
csv 'strategy,board,overflow,gameover,rules,piece_source,method,mean_lines,low,high,' 1 'measure bcts --board 4x6 --precision 50%'
csv 'strategy,method,mean_lines,mean_low,mean_high,ratio,' 2 'compare bcts dellacherie --board 4x6 --precision 50%'
csv 'number,player,matches,wins,low,high,' 2 'versus bcts dellacherie --board 6x8 --games 5'
csv 'kernel,signature,design,pieces_per_second,' 1 'bench --kernel plain --seconds 0.01'
csv 'feature,reference_ns,share,kernel_ns,kernel' "$(grep -c '^FEATURE(' "$S"/src/feature/features.def)" 'features --time 10 --kernel plain'
row 0 out '^evaluation,score,mean_lines,samples,pieces
1,' 'evaluate --board 4x6 --objective games --csv $T/e.csv <<<"[-1,1,-1,-1,-4,-1,0,0]" >/dev/null; cat $T/e.csv'
row 2 err '^tetralab evaluate: --csv -: the answers go to the standard output; ' 'evaluate --csv -'
row 2 err '^tetralab features: --csv is for --time N, ' 'features --csv $T/f.csv'
row 2 err '^tetralab bench: --plot shows speeds, and --signature times nothing: ' 'bench --signature --plot $T/b.svg'
row 2 err '^tetralab play: A plot is written as .*"[^"]*x\.jpg" ends in none' 'play bcts --plot $T/x.jpg'
row 1 err '^tetralab play: .*/x\.svg: No game has ended, so there are no scores to draw\.$' 'play bcts --games 1 --max-pieces 600 --plot $T/x.svg'
if command -v gnuplot >/dev/null; then
    while read -r one other arguments; do
        row 0 out "=2
${other//_/ }" "$arguments --plot \$T/shown.svg >/dev/null; grep -c -e '${one//_/ }' -e '${other//_/ }' \$T/shown.svg; grep -o '${other//_/ }' \$T/shown.svg"
    done <<'TABLE'
law_of_the_same_mean lines_made_in_a_game play bcts --board 4x6 --games 20
>dellacherie< mean_lines_per_game,_log_scale play bcts dellacherie --board 4x6 --games 20
a_ratio_to_those_of ratio_of_mean_lines compare bcts dellacherie --board 6x8 --precision 50%
ratio_to_those_of_bcts pairs_of_games compare bcts dellacherie --board 6x8 --sprt 1,1.5
>2_dellacherie< equal_players versus bcts dellacherie --board 6x8 --games 5
Speed_of_bcts_on_10x20 >plain_(boards)< bench --kernel plain --seconds 0.01
>hole-depth< definition,_per_board features --time 10 --kernel plain
TABLE
    row 0 out 'largest so far' 'evaluate --board 4x6 --objective games --plot $T/e.svg <<<"[-1,1,-1,-1,-4,-1,0,0]" >/dev/null; cat $T/e.svg'
fi

# Scores for other programs
row 0 out '^Usage: tetralab evaluate \[options\].*--ordered .*--help  +Show this text\.$' 'evaluate --help'
row 2 err '^tetralab evaluate: unknown option --json\.' 'evaluate --json -'
row 2 err '^tetralab evaluate: evaluate takes options only: vectors come from the standard input\.$' 'evaluate bcts'
row 2 err '^tetralab evaluate: --features: "hols" is neither a feature nor a set of features; did you mean "holes"\?' 'evaluate --features hols'
row 2 err '^tetralab evaluate: --features: Between two commas, .* a feature is missing\.' 'evaluate --features holes,'
row 2 err '^tetralab evaluate: --rating: expected linear, exponential, displaced or network, got .cubic.\.' 'evaluate --rating cubic'
row 2 err '^tetralab evaluate: --player: expected greedy, two-piece, expectimax, beam or uct, got .ucb.\.' 'evaluate --player ucb'
row 2 err '^tetralab evaluate: --objective: expected games or splitting, got .lines.\.' 'evaluate --objective lines'
row 2 err '^tetralab evaluate: Hidden units belong to the rating network, not to linear\.$' 'evaluate --hidden 2'
row 2 err '^tetralab evaluate: column-heights has several values, ' 'evaluate --features bdu --rating network --hidden 2'
row 2 err '^tetralab evaluate: candidate: delta-max-height can be negative ' 'evaluate --features lagoudakis --rating exponential'
row 2 err '^tetralab evaluate: --trials is for splitting: ' 'evaluate --objective games --trials 500'
row 2 err '^tetralab evaluate: --max-pieces stops whole games: ' 'evaluate --max-pieces 500'
row 2 err '^tetralab evaluate: The original rules and the overflow rule touch exclude ' 'evaluate --rules original --overflow touch'
printf 'OISZ LJT\n' >"$T/letters"
row 2 err '^tetralab evaluate: Splitting restarts games with other pieces, ' 'evaluate --pieces $T/letters'
row 0 out '=' 'evaluate'
row 1 out '^\{"line":1,"error":"The vector has 1 number, but needs 8; ' 'evaluate <<<"[1]"'
row 0 out '^\{"line":1,"score":0(\.0)?,"mean_lines":0(\.0)?,"samples":\[0,0\],"pieces":[0-9]+,"seconds":' \
    'evaluate --objective games --games 2 --max-pieces 1 --features holes <<<"[0]"'

# Learning
row 0 out '^Usage: tetralab learn \[options\].*--method .*--resume .*--race .*--revisit .*--help  +Show this text\.$' 'learn --help'
row 2 err '^tetralab td: td: patterns need independent pieces: ' 'td --pieces bag --out $T/values.json'
row 2 err '^tetralab td: td takes no operands' 'td bcts --out $T/values.json'
row 1 err '^tetralab td: cannot read ' 'td --start $T/none.patterns --out $T/values.json'
row 2 err "=tetralab td: --out: expected a name for files, as in values, got '-'." 'td --out -'
row 2 err '=tetralab td: --out: the player could not name its values: use printable UTF-8 only.' "td --out \$T/\$'caf\\xe9'.json"
row 0 out '^1\.00 k moves in [0-9]+ games.*/values\.json is the player, with its values in .*/values\.patterns\. Measure it:  tetralab measure .* --board 5x6 --pieces sz --seed 8$' \
    'td --board 5x6 --pieces sz --moves 1000 --seed 7 --out $T/values'
row 2 err "=tetralab td: --out cannot go to $T/values.patterns, which is read: give another file." \
    'td --board 5x6 --pieces sz --moves 1000 --start $T/values.patterns --out $T/values.json'
row 1 err '^tetralab td: .*values\.patterns is for boards of 5x6, not for 5x7\.$' \
    'td --board 5x7 --pieces sz --moves 1000 --start $T/values.patterns --out $T/more.json'
row 0 out '"strategy": "more".*"values": "[^"]*/more\.patterns".*"start": "[^"]*/values\.patterns".*"depth": 1.*"candidates": 3.*"moves": 2000' \
    'td --board 5x6 --pieces sz --moves 2000 --start $T/values.patterns --depth 1 --candidates 3 --out $T/more.json --json -'
row 0 out '"start": null.*"depth": 2.*"candidates": 0.*"optimism": 3' \
    'td --board 5x6 --pieces sz --moves 1000 --optimism 3 --out $T/values --json -'
row 0 out '"depth": 1,.*"candidates": 3' 'strategies $T/more.json'
row 0 out '5x6' 'play $T/more.json --board 5x6 --pieces sz --games 2'
row 2 err '^tetralab imitate: imitate needs one teacher: tetralab imitate bcts-ahead\.$' 'imitate'
row 2 err '^tetralab imitate: Imitation needs independent pieces: ' 'imitate bcts --pieces bag --out $T/student.json'
row 2 err '^tetralab imitate: .*landing-height' 'imitate bcts --start bcts --features holes --out $T/student.json'
row 0 out '^2\.05 k decisions\. The student .*student\.json is the student\. Measure it:  tetralab measure [^ ]*student\.json --board 10x8 --seed 5' \
    'imitate bcts --board 10x8 --decisions 1000 --seed 4 --out $T/student.json'
row 0 out '"name": "other".*"source": "Imitates bcts: 2048 decisions, seed 4"' \
    'imitate bcts --board 10x8 --decisions 1000 --seed 4 --name other --out $T/student.json >/dev/null; cat $T/student.json'
row 0 out '^\{.*"strategy": "student",.*"teacher": "bcts",.*"decisions": 2048,' \
    'imitate bcts --board 10x8 --decisions 1000 --json - --out $T/student.json'
row 0 out '"start": "bcts",.*"features": \[[^]]*"landing-height",[^]]*"holes",[^]]*\],' \
    'imitate bcts --board 10x8 --decisions 1000 --json - --out $T/student.json'
row 0 out '"file": "[^"]*/\?\.json",.*"start": "zero",.*"features": \[[[:space:]]*"holes"[[:space:]]*\],' \
    "imitate bcts --board 10x8 --decisions 1000 --features holes --json - --out \$T/\$'\\xff'.json"
row 2 err "=tetralab imitate: --out cannot go to $T/student.json, which is read: give another file." \
    'imitate bcts --start $T/student.json --out $T/student.json'
row 2 err '^tetralab learn: unknown option --popluation; did you mean --population\?' 'learn --popluation 3'
row 2 err '^tetralab learn: .*operands.*bcts' 'learn bcts'
row 2 err '--method: expected cmaes, nce, ga or pso, got .cma.\.' 'learn --method cma'
row 2 err '^tetralab learn: --features: "dellacheri" is neither a feature nor a set of features; did you mean "dellacherie"\?' \
    'learn --features dellacheri'
row 2 err '^tetralab learn: --features: "hols" is neither a feature nor a set of features; did you mean "holes"\?' \
    'learn --features du,hols'
row 2 err "--rating: expected linear, exponential, displaced or network, got .cubic.\." 'learn --rating cubic'
row 2 err '--race: expected none, hoeffding, bernstein or tetris, got .maybe.\.' 'learn --race maybe'
row 2 err 'A race needs a lowest score below the highest, not 3 and 1\.' \
    'learn --objective games --race tetris --race-bounds 3,1'
for time in abc 0s -5s 5x nan ''; do
    row 2 err "^tetralab learn: --time: expected a time such as 60s, 5min or 2h, got '$time'\." "learn --time='$time'"
done
# An option that would do nothing is refused: METHOD OPTION
while read -r method option; do
    row 2 err "^tetralab learn: --${option%% *} is an option of [a-z, ]*, not of $method\.$" \
        "learn --method $method --$option"
done <<'OPTIONS'
cmaes noise none
cmaes noise-level 3
cmaes elite 3
cmaes revisit again
cmaes choose-features
cmaes inertia 0.5
nce sphere yes
nce floor 0.1
nce constants classic
nce tournament 3
ga sigma 3
ga parents 3
ga start zero
ga race hoeffding --objective games
pso parents 3
pso crossover uniform
pso race tetris --objective games
OPTIONS
row 2 err '^tetralab learn: A race counts games: it goes with the objective games only\.$' 'learn --race hoeffding'
row 2 err '^tetralab learn: --race-most belongs to --race hoeffding, bernstein or tetris\.$' 'learn --objective games --race-most 50'
row 2 err '^tetralab learn: with --race, --race-least and --race-most say how many games are played\.$' \
    'learn --objective games --race tetris --games 50'
row 2 err '^tetralab learn: .* length 1 .* linear ratings: leave the sphere out\.$' 'learn --rating exponential --sphere yes'
row 2 err '^tetralab learn: Answers can be averaged .* take the last one\.$' 'learn --method pso --answer average'
row 2 err '^tetralab learn: --hidden belongs to --rating network\.$' 'learn --hidden 3'
row 2 err '^tetralab learn: .*column-heights has ' 'learn --features bertsekas --rating network'
row 2 err '^tetralab learn: --trials belongs to --objective splitting\.$' 'learn --objective games --trials 500'
row 2 err '^tetralab learn: --max-pieces belongs to --objective games\.$' 'learn --max-pieces 500'
row 2 err '^tetralab learn: --noise-slope belongs to --noise decreasing\.$' 'learn --method nce --noise-slope 1'
row 2 err '^tetralab learn: --noise-level belongs to --noise constant or decreasing\.$' 'learn --method nce --noise none --noise-level 1'
row 2 err '^tetralab learn: --generations must be above 0\.$' 'learn --generations 0'
row 2 err '^tetralab learn: --mutation-rate must be above 0\.$' 'learn --method ga --mutation-rate 0'
row 2 err '^tetralab learn: --points belongs to --crossover points\.$' 'learn --method ga --crossover uniform --points 3'
row 2 err '^tetralab learn: bdu uses max-height, which is not among the features to learn with: ' 'learn --start bdu'
row 2 err '^tetralab learn: Only a linear rating can start from ' 'learn --start bcts --rating exponential'
row 2 err '^tetralab learn: uct has no weights to start from: name a strategy that has\.$' 'learn --start uct'
row 2 err '^tetralab learn: "bcst" is neither a built-in strategy nor a file; ' 'learn --start bcst'
# Folders
row 1 err "^tetralab learn: cannot make the folder $T/none/run: No such file or directory\.$" 'learn --out $T/none/run'
row 0 out 'All 2 generations are done.*/run/best\.json is the player' \
    'learn --board 6x8 --trials 100 --generations 2 --out $T/run'
row 0 out '"method": "cmaes".*"weights": \[.*"generations": 2.*"interrupted": false' \
    'learn --repeat $T/run --out $T/repeated --json -'
row 0 out '^$' 'strategies $T/run/best.json >/dev/null; cmp $T/run/best.json $T/repeated/best.json'
row 0 out '"name": "run-6x8-generation1".* 1 generation\."' 'strategies $T/run --at 1'
row 0 out '^$' 'strategies $T/run --json $T/newest.json; cmp $T/run/best.json $T/newest.json'
row 1 err '^tetralab strategies: There is no generation 9 in .*/run: the newest is 2\.$' 'strategies $T/run --at 9'
row 1 err '^tetralab strategies: There is no run 2 in .*/run: it has 1\.$' 'strategies $T/run --run 2'
row 1 err '^tetralab strategies: There is no run in .*: .*/run\.json cannot be read ' 'strategies $T --at 1'
row 2 err '^tetralab strategies: --at and --run choose a player of a learning run: name its folder\.$' 'strategies bcts --at 2'
row 0 out '"name": "mine"' 'learn --repeat $T/run --name mine --out $T/mine >/dev/null; tetralab strategies $T/mine/best.json'
row 2 err '^tetralab learn: --name cannot be changed with --resume: ' 'learn --resume $T/run --name mine'
row 2 err '^tetralab plot: name the folder of a learning run, or a journal of ' 'plot --out $T/x.svg'
row 2 err '^tetralab plot: say where the picture goes: --out runs\.svg, ' 'plot $T/run'
row 1 err '^tetralab plot: There is no folder and no journal .*/nothing\.$' 'plot $T/nothing --out $T/x.svg'
row 1 err '^tetralab plot: There is no run in .*: .*/run\.json cannot be read ' 'plot $T --out $T/x.svg'
row 2 err '^tetralab plot: .*/run is a folder and .*/best\.json a file: a picture shows ' 'plot $T/run $T/run/best.json --out $T/x.svg'
row 1 err '^tetralab plot: .*/best\.json is no journal of measurements: ' 'plot $T/run/best.json --out $T/x.svg'
row 2 err '^tetralab plot: There is no panel "height"; there are all, score, ' 'plot $T/run --panels score,height --out $T/x.svg'
row 1 err '^tetralab plot: The runs have no numbers for the panel "race"\.$' 'plot $T/run --panels race --out $T/x.svg'
row 2 err '^tetralab plot: --labels has 2, and there is 1\.$' 'plot $T/run --labels a,b --out $T/x.svg'
row 2 err '^tetralab plot: --targets: expected numbers of lines, ' 'plot $T/run --panels runtime --targets 1,-2 --out $T/x.svg'
row 2 err '^tetralab plot: --size: expected WIDTHxHEIGHT, such as 900x540, ' 'plot $T/run --size 900 --out $T/x.svg'
row 2 err '^tetralab plot: A plot is written as ' 'plot $T/run --out $T/x.gif'
mkdir "$T/torn" && cp "$T/run/run.json" "$T/torn" && printf '{"run": 1' >"$T/torn/journal.jsonl"
row 1 err 'torn: no generation is complete, so there is nothing to draw\.$' 'plot $T/torn --out $T/x.svg'
cp "$T/run/journal.jsonl" "$T/torn" && sed -i '2s/"sigma":[^,]*/"sigma":"x"/' "$T/torn/journal.jsonl"
if command -v gnuplot >/dev/null; then
    row 0 err 'journal\.jsonl:2: ' 'plot $T/torn --out $T/x.svg'
    for kind in svg png pdf eps; do
        row 0 out '^$' "plot \$T/run --panels all --out \$T/1.$kind; TZ=XYZ-5 tetralab plot \$T/run --panels all --out \$T/2.$kind; cmp \$T/1.$kind \$T/2.$kind"
    done
    row 0 out '^panel,series,x,y,low,high.*lines of the answer,my run,0,.*lines of the answer,my run,1,' \
        "plot \$T/run --labels 'my run' --size 500x400 --csv - --out \$T/x.pdf"
fi
row 1 err '^tetralab learn: There is a run in .*/run already: resume it with .learn --resume .*/run., ' 'learn --out $T/run'
row 2 err '^tetralab learn: --seed cannot be changed with --resume: ' 'learn --resume $T/run --seed 3'
row 2 err '^tetralab learn: --board cannot be changed with --repeat: ' 'learn --repeat $T/run --board 10x10 --out $T/more'
row 2 err '^tetralab learn: --resume goes on in its own folder: ' 'learn --resume $T/run --out $T/more'
row 2 err '^tetralab learn: give either --resume or --repeat\.$' 'learn --resume $T/run --repeat $T/run'
row 1 err "^tetralab learn: There is no run in $T/none: $T/none/run\.json cannot be read" 'learn --resume $T/none'
mkdir "$T/damaged"
row 1 err "^tetralab learn: There is no run in $T/damaged: " 'learn --resume $T/damaged'
row 1 err "^tetralab learn: There is no run in $T/damaged: " 'learn --repeat $T/damaged --out $T/more'
sed 's/"method": "cmaes"/"method": "cma"/' "$T/run/run.json" >"$T/damaged/run.json"
row 1 err '^tetralab learn: .*/damaged/run\.json: "method" must be "cmaes", "nce", "ga" or "pso", found "cma"\.$' 'learn --resume $T/damaged'
head -c 300 "$T/run/run.json" >"$T/damaged/run.json"
row 1 err '^tetralab learn: .*/damaged/run\.json:[0-9]+:[0-9]+: ' 'learn --resume $T/damaged'

# Databases of visited states
row 0 out '^Usage: tetralab db stat.verify.export.compact FILE' 'db --help'
row 2 err '^tetralab db: unknown option --ouy; did you mean --out\?' 'db stat x --ouy y'
row 2 err '^tetralab db: say what to do: db stat, verify, export or compact\.$' 'db'
row 2 err "^tetralab db: unknown action 'satt'; did you mean stat\\?$" 'db satt x'
row 2 err '^tetralab db: name the database: db stat FILE\.$' 'db stat'
row 2 err '^tetralab db: db export takes one database at a time\.$' 'db export a b'
row 2 err '^tetralab db: db compact needs --out FILE\.$' 'db compact a'
row 2 err '^tetralab db: db compact cannot write to standard output: ' 'db compact a --out -'
row 2 err '^tetralab db: --json belongs to db stat\.$' 'db verify a --json -'
row 2 err '^tetralab db: --out belongs to db export and db compact\.$' 'db stat a --out b'
for action in stat verify export 'compact --out $T/new.db'; do
    row 1 err '^tetralab db: A database needs the name of a file: "-" is none\.$' "db $action -"
    row 1 err '^tetralab db: There is no database .*/none\.db\.$' "db $action \$T/none.db"
    row 1 err '^tetralab db: .* is a folder; give the name of a file for the database\.$' "db $action \$T"
done
: >"$T/empty.db"
row 1 err '^tetralab db: .*/empty\.db is empty and hence no database\.$' 'db verify $T/empty.db'
row 1 err '^tetralab db: .*/test_cli\.sh is damaged, or no database of visited states: it is no SQLite file\. ' \
    'db stat $S/tests/test_cli.sh'
printf '{"name": "planner", "player": "uct", "pieces": 2, "phases": 20, "database": "%s/visited.db"}' "$T" >"$T/planner.json"
row 0 out '^6x8, ' 'play $T/planner.json --board 6x8 --games 5 --jobs 1'
row 0 out '^database .* revisited.*/visited\.db +[0-9]+ +[0-9,]+ ' 'db stat $T/visited.db'
row 0 out '"states": [1-9][0-9]*, *.*"bytes": .*"phases": .*"rules": 1,.*"revisits": 0' 'db stat $T/visited.db --json -'
row 0 out '/visited\.db: [1-9][0-9]* states, no mistake\.$' 'db verify $T/visited.db'
row 0 out '^\{"rules": "6x8 lenient avoid simplified", "board": \[\], "piece": "[OISZLJT]", "reward": [0-9.-]+, "placements": \[\[[0-3], [0-5]\].*\], "phases": [0-9]+\}$' \
    'db export $T/visited.db | head -n 1'
row 0 out '^$' 'db export $T/visited.db --out $T/visited.jsonl; tetralab db export $T/visited.db | cmp - $T/visited.jsonl'
row 2 err '^tetralab db: --out cannot go to .*, which is read' 'db export $T/visited.db --out $T/visited.db'
row 1 err '^tetralab: cannot write the standard output: No space left on device\.$' 'db export $T/visited.db >/dev/full'
row 0 out '/new\.db: [0-9,]+ bytes instead of [0-9,]+\.$' 'db compact $T/visited.db --out $T/new.db'
row 1 err '^tetralab db: .*/new\.db exists already; remove it, or give another name\.$' 'db compact $T/visited.db --out $T/new.db'
row 0 out '^$' 'db export $T/new.db | cmp - $T/visited.jsonl'
head -c 6000 "$T/new.db" >"$T/cut.db"
row 1 err '^tetralab db: .*/cut\.db is damaged, or no database of visited states: .+ page 2\.$' 'db verify $T/visited.db $T/cut.db'
row 1 err '^tetralab play: .*/cut\.db is damaged' 'play <(sed s/visited/cut/ $T/planner.json) --board 6x8'
# Files of 66 KiB at most hold a new database and what SQLite keeps beside it, but not all states: that is
# said at the end
sed s/visited/full/ "$T/planner.json" >"$T/full.json"
for command in 'play $T/full.json --jobs 1' 'versus $T/full.json bcts --games 200' \
    'measure $T/full.json --method games' 'compare $T/full.json $T/full.json --method games'; do
    rm -f "$T"/full.db*
    row 1 err 'planner: cannot write the database .*/full\.db: .* Is the disk full\? What was committed before is safe\.' \
        "--version >/dev/null; (ulimit -f 66; trap '' XFSZ; tetralab $command --board 6x12 --seed 3)"
done
row 0 err '^The record is of one more game than those above, since planner does not play a game twice\.$' \
    'play $T/planner.json --board 6x8 --games 1 --record $T/planned.game'

# Small boards solved
row 0 out '^Usage: tetralab solve \[options\].*--check-games .*--help  +Show this text\.$' 'solve --help'
row 2 err '^tetralab solve: unknown option --chek-games; did you mean --check-games\?' 'solve --chek-games 5'
row 2 err '^tetralab solve: solve takes options only: ' 'solve bcts'
row 2 err '^tetralab solve: A board of 10x20 has too many positions: width times height must be at most 30 ' 'solve --board 10x20'
row 2 err '^tetralab solve: The pieces must be independent of each other to be solved: .*, not bag\.$' 'solve --board 4x4 --pieces bag'
row 2 err '^tetralab solve: --resume needs --out, which names the checkpoint\.$' 'solve --board 4x4 --resume'
row 2 err "^tetralab solve: --out: expected a name for files, as in optimal-5x5, got '-'\.$" 'solve --board 4x4 --out -'
row 2 err "^tetralab solve: --out: expected a name for files, as in optimal-5x5, got '$T/'\.$" 'solve --board 4x4 --out $T/'
row 2 err '^tetralab solve: --out and --json cannot both go to .*/best\.json\.$' 'solve --board 4x4 --out $T/best --json $T/best.json'
row 2 err '^tetralab solve: --out: the strategy could not name its table: use printable UTF-8 only\.$' "solve --board 4x4 --out \$T/\$'caf\\xe9'"
row 0 out '^optimum ' 'solve --board 4x4 --overflow strict --check-games 2 --seed 12 2>/dev/null'
row 1 err '^tetralab solve: There is nothing to resume: .*/best\.checkpoint does not exist\.$' 'solve --board 4x4 --out $T/best --resume'
row 1 err '^tetralab solve: cannot write .*/none/best.*: No such file or directory\.$' 'solve --board 4x4 --out $T/none/best'
row 0 err '^4x4, strict overflow, pieces uniform: at most 5,461 values, [0-9]+ KiB of memory\.$' \
    'solve --board 4x4 --overflow strict --out $T/best --check-games 1000 >$T/solved'
row 0 out '^optimum    7\.06694[23] lines, at most [0-9e.-]+ more.boards     2,582 can be reached, 1,295 values kept.*strategy   .*/best\.json, .*played     [67]\.' \
    '--version >/dev/null; cat $T/solved'
row 0 out '"mean_lines": 7\.06694.*"states": 2582,.*"check": null,.*"overflow": "strict"' 'solve --board 4x4 --overflow strict --check-games 0 --json - 2>/dev/null'
row 0 out '^best  ' 'play $T/best.json --board 4x4 --overflow strict --games 100 | grep best'
row 0 out 'best' 'compare $T/best.json bcts --board 4x4 --overflow strict --method games'
row 0 out 'best' 'versus $T/best.json bcts --board 4x4 --overflow strict --games 10'
row 1 err '^tetralab play: best: .*/best\.values is for --board 4x4 --overflow strict --pieces uniform, not for 4x4, lenient overflow, ' 'play $T/best.json --board 4x4'
row 1 err '^tetralab play: best: .*/best\.values is for --board 4x4 ' 'play $T/best.json'
cp "$T/best.json" "$T/cut.json" && sed -i s/best.values/cut.values/ "$T/cut.json"
row 1 err '^tetralab play: best: cannot read .*/cut\.values: No such file or directory\.$' 'play $T/cut.json --board 4x4 --overflow strict'
head -c 2000 "$T/best.values" >"$T/cut.values"
row 1 err '^tetralab play: best: .*/cut\.values is cut off or damaged: it has 2000 bytes instead of ' 'play $T/cut.json --board 4x4 --overflow strict'
cp "$T/best.json" "$T/cut.values"
row 1 err "^tetralab play: best: .*/cut\.values is no file of values: 'tetralab solve' makes them\.$" 'play $T/cut.json --board 4x4 --overflow strict'
cp "$T/best.values" "$T/best.checkpoint"
row 1 err '^tetralab solve: .*/best\.checkpoint is there, from a run that has not ended: add --resume ' 'solve --board 4x4 --overflow strict --out $T/best'
row 1 err "^4x4.*tetralab solve: .*/best\.checkpoint is not a checkpoint of 'tetralab solve'\.$" 'solve --board 4x4 --overflow strict --out $T/best --resume'
row 2 err '^tetralab learn: --player: expected greedy, two-piece, expectimax, beam or uct, got .table.\.' 'learn --player table --out $T/none'

# The same pieces in every game
row 0 out 'pieces uniform, the same in every game, seed 1.*xtris: all games have the same pieces; ' 'play xtris --board 6x8 --games 3 --same-pieces'
row 0 out '"same_pieces": true' 'play xtris --board 6x8 --games 3 --same-pieces --json -'
row 2 err '^tetralab play: --same-pieces: bcts draws no random numbers and would play the same game every time; ' 'play xtris bcts --same-pieces'
row 2 err '^tetralab play: --until goes by how scores vary from one sequence of pieces to the next: with --same-pieces give --games\.$' 'play xtris --same-pieces --until 20%'
row 2 err '^tetralab play: a file of pieces is the same in every game already: leave out --same-pieces\.$' 'play xtris --same-pieces --pieces $T/letters'

# Matches
row 0 out '^Usage: tetralab versus A B \[C\.\.\.\] \[options\].*--games .*--sequence .*--move-time .*--help  +Show this text\.$' 'versus --help'
row 2 err '^tetralab versus: unknown option --gmaes; did you mean --games\?' 'versus bcts fahey --gmaes 3'
row 2 err '^tetralab versus: name at least two strategies, as in tetralab versus fahey bcts\.$' 'versus bcts'
row 2 err '^tetralab versus: 9 players are too many; at most 8 play in a match\.$' 'versus bcts bcts bcts bcts bcts bcts bcts bcts bcts'
row 2 err '^tetralab versus: "bcst" is neither a built-in strategy nor a file; ' 'versus fahey bcst'
row 2 err "--sequence: expected same or own, got 'both'\." 'versus fahey bcts --sequence both'
row 2 err "--move-time: expected a time such as 60s, 5min or 2h, got '3x'\." 'versus fahey bcts --move-time 3x'
row 2 err '^tetralab versus: --match does nothing without --record or --show\.$' 'versus fahey bcts --match 3'
row 2 err '^tetralab versus: --match 4 is not among the matches 1 to 3\.$' 'versus fahey bcts --games 3 --match 4 --show'
row 2 err '^tetralab versus: a recorded match has at most 100000 rounds: lower --max-rounds\.$' 'versus fahey bcts --max-rounds 200k --record $T/match'
row 2 err '^tetralab versus: --record and --json cannot both go to the standard output\.$' 'versus fahey bcts --record - --json -'
row 2 err '^tetralab versus: a file of pieces is the same for all players: leave out --sequence own\.$' 'versus fahey bcts --pieces $T/letters --sequence own'
row 2 err '^tetralab versus: The original rules and the overflow rule touch exclude ' 'versus fahey bcts --rules original --overflow touch'
row 2 err '^tetralab versus: unknown option --max-pieces\.' 'versus fahey bcts --max-pieces 30'
row 1 err '^tetralab versus: .*/none/match' 'versus fahey bcts --record $T/none/match'
row 0 out '1 fahey .*2 bcts .*3 matches, [0-9.]+ rounds on average' 'versus fahey bcts --board 6x8 --games 3'
row 0 out '^\{.*"games": 3,.*"wins": [0-3],.*"ci95": \[.*"draws": 0,.*"undecided": 0,.*"players": \[.*"moves_by_rows": \[.*"winners": \[' \
    'versus fahey bcts --board 6x8 --games 3 --json -'
row 0 out '2 matches ended undecided, after 5 rounds or without pieces: nobody won\..*No match was decided: ' 'versus bcts bcts --games 2 --max-rounds 5'
row 0 out '1 bcts took longer than .* for a move in 2 matches, and so lost\.' 'versus bcts bcts --games 2 --move-time 0.000001ms'
row 0 out '4 bcts .*Match 2.*1 bcts .*won' 'versus bcts bcts bcts bcts --board 6x8 --games 2 --show --match 2'
row 0 out '^tetralab record 1.board 6x8.*end rounds [0-9]+ winner [12]$' 'versus fahey bcts --board 6x8 --games 3 --match 3 --record -'
row 0 out '2 bcts wins after 12 rounds\.$' 'versus --replay $S/tests/fuzz/record/won.match'
row 0 out 'Round 0.*Round 1.*Round 11.*2 bcts wins after 12 rounds\.$' 'versus --replay $S/tests/fuzz/record/won.match --show'
row 0 out '"winner": 2,.*"rounds": 12,' 'versus --replay $S/tests/fuzz/record/won.match --json -'
row 2 err '^tetralab versus: --replay shows what was recorded: it goes without strategies\.$' 'versus bcts --replay $T/match'
row 2 err '^tetralab versus: --replay shows what was recorded: only --json and --show go with it, not --games' 'versus --games 5 --replay $T/match'
row 1 err "^tetralab versus: cannot read $T/none: No such file or directory\.$" 'versus --replay $T/none'
row 0 out '^bcts, seed 1, game 0.*lines   37.*pieces  39' 'versus --replay $S/tests/fuzz/record/bag.game'
sed 's/^attack 1 .#####/attack 1 #.####/' "$S/tests/fuzz/record/won.match" >"$T/edited"
row 1 err '^tetralab versus: .*/edited:18:1: the moves make "attack 1 \.#####", but the record says "attack 1 #\.####"\.$' 'versus --replay $T/edited'

# Reproductions
row 0 out '^Usage: tetralab reproduce ' 'reproduce --help'
row 2 err "=tetralab reproduce: name one reproduction, or 'list', or 'report'." 'reproduce'
row 2 err "=tetralab reproduce: name one reproduction, or 'list', or 'report'." 'reproduce p0-table1 p0-table2'
row 2 err "^tetralab reproduce: there is no reproduction 'p0-tabel1'; did you mean p0-table1\?" 'reproduce p0-tabel1'
row 2 err '^tetralab reproduce: --scale: expected quick, part or full, got .big.\.' 'reproduce list --scale big'
row 2 err '^tetralab reproduce: --jobs: ' 'reproduce list --jobs 0'
row 2 err "=tetralab reproduce: --csv is for the rows of a reproduction, or of 'report'." 'reproduce list --csv $T/x.csv'
row 1 err '=tetralab reproduce: cannot read no-such.json: No such file or directory.' 'reproduce no-such.json'
printf '{"paper"' >"$T/damaged.json"
row 1 err 'damaged\.json:1:9: expected ":" after the key, found the end of the file\.$' 'reproduce $T/damaged.json'
printf '{"paper": "p", "plcae": "q"}' >"$T/misspelt.json"
row 1 err 'misspelt\.json: "plcae" is not a key of a definition; did you mean "place"\?$' 'reproduce $T/misspelt.json'
cp "$T/misspelt.json" "$T/...json"
row 1 err '^tetralab reproduce: .*/\.\.\.json: a definition is called .* Rename the file\.$' 'reproduce $T/...json'
row 1 err '^tetralab reproduce: There is no folder no-such-folder: ' 'reproduce report --out no-such-folder'
echo >"$T/plain-file"
row 1 err '^tetralab reproduce: The folder .*/plain-file/results cannot be made: Not a directory\.$' 'reproduce p2-table2.3 --out $T/plain-file/results'

echo "$rows command lines tried, $failures failed."
[[ $failures == 0 ]]
