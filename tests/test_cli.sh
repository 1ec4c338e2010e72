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
program=$1
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
row 2 err "=tetralab: unknown command ''; did you mean play? Try 'tetralab --help'." "''"
row 2 err '^tetralab: unknown option --verison; ' '--verison'
row 1 err '=tetralab: cannot write the standard output: No space left on device.' '--help >/dev/full'

# Every command: help and unknown options
row 0 out '^Usage: tetralab play STRATEGY.*--games .*--help  +Shows this text\.$' 'play --help'
row 0 out '^Usage: tetralab strategies ' 'strategies --help'
row 0 out '^Usage: tetralab features ' 'features --help'
row 0 out '^Usage: tetralab bench ' 'bench --help'
row 0 out '^Usage: tetralab perft ' 'perft --help'
row 0 out '^Usage: tetralab play ' 'play --nonsense -h'
row 2 err '^tetralab play: unknown option --gmaes; did you mean --games\?.Try .tetralab play --help.\.$' 'play --gmaes 3'
row 2 err '^tetralab strategies: unknown option --x; did you mean ' 'strategies --x'
row 2 err '^tetralab features: unknown option --x; did you mean ' 'features --x'
row 2 err '^tetralab bench: unknown option --x; did you mean ' 'bench --x'
row 2 err '^tetralab perft: unknown option --x; did you mean ' 'perft --x'

# Options that several commands have
row 2 err '^tetralab play: option --seed is given twice\.' 'play bcts --seed 1 --seed 2'
row 2 err '^tetralab play: option --board needs an argument: --board WxH\.' 'play bcts --board'
row 2 err '^tetralab play: --board: .*0x0' 'play bcts --board 0x0'
row 2 err '^tetralab play: --board: .*15' 'play bcts --board 15x20'
row 2 err '^tetralab play: --board: .*28' 'play bcts --board 10x28'
row 2 err '^tetralab play: --overflow: .*lenient.*strict.*touch' 'play bcts --overflow soft'
row 2 err '^tetralab play: --gameover: .*avoid.*evaluate' 'play bcts --gameover never'
row 2 err '^tetralab play: --rules: .*simplified.*original' 'play bcts --rules fahey'
row 2 err '^tetralab play: --pieces: ' 'play bcts --pieces S:-1'
row 2 err '^tetralab play: --kernel: .*mmx' 'play bcts --kernel mmx'
row 2 err '^tetralab play: --jobs: .* from 1 to 1024, got .0.\.' 'play bcts --jobs 0'
row 2 err '^tetralab play: --seed: .* got .-1.\.' 'play bcts --seed -1'
row 2 err '^tetralab play: --max-pieces: .* got .0.\.' 'play bcts --max-pieces 0'

echo "$rows command lines tried, $failures failed."
[[ $failures == 0 ]]
