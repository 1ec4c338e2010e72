#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tetralab serve from outside: what may be read and, with requests as an attacker would write them, that nothing else can.
# Usage: tests/test_serve.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "$1")
cd "$2" || exit 1
. tests/checks.sh
T=$(mktemp -d)
server=
trap '[[ $server ]] && kill "$server"; wait; rm -rf "$T"' EXIT

# A page, two runs in a folder of runs, secrets around them, and links and other things that lead there.
mkdir -p "$T/page" "$T/runs/one" "$T/runs/two" "$T/runs/nothing" "$T/elsewhere"
echo '<p>page</p>' >"$T/page/index.html"
echo 'let x' >"$T/page/app.js"
echo secret >"$T/secret"
echo secret >"$T/page/.hidden"
mkdir "$T/page/folder" && echo secret >"$T/page/folder/inner"
ln -s ../secret "$T/page/link.txt"
mkfifo "$T/page/pipe"
for run in one two; do
    echo '{"plan": {}}' >"$T/runs/$run/run.json"
    printf '{"generation":1}\n{"generation":2}\n' >"$T/runs/$run/journal.jsonl"
    echo secret >"$T/runs/$run/checkpoint-1.json"
done
ln -s ../../secret "$T/runs/two/best.json"
echo '{"name":"best"}' >"$T/runs/one/best.json"
echo '{"plan": "secret"}' >"$T/elsewhere/run.json"
ln -s ../elsewhere "$T/runs/three"

"$program" serve --page "$T/page" --port 0 "$T/runs" >"$T/address" 2>"$T/said" &
server=$!
for ((i = 0; i < 200; i++)); do
    grep -qs http "$T/address" && break
    if ! kill -0 "$server" 2>/dev/null; then
        server=
        echo "Skipped: $(cat "$T/said")"
        grep -q "built without" "$T/said" && exit 77
        exit 1
    fi
    read -rt 0.1 <> <(:)
done
port=$(grep -oE '[0-9]+/' "$T/address" | head -1 | tr -d /)
check "it says where it is" grep -q "^http://127.0.0.1:$port/runs.html$" "$T/address"

check "requests as they are sent" python3 tests/web/requests.py "$port"
check "nobody outside this machine can reach it" same "$(python3 - "$port" <<'END'
import socket, sys
names = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
names = {name for name in names if not name.startswith("127.")}
for name in names:
    try:
        socket.create_connection((name, int(sys.argv[1])), 2)
        print("reached at", name)
    except OSError:
        pass
END
)" ""
"$program" serve --page "$T/page" --port "$port" >"$T/out" 2>"$T/second"
check "a port that is taken is one sentence" same "$?: $(cat "$T/second")" \
    "1: tetralab serve: port $port is taken by another program: give --port another number."
mkdir "$T/runs/four" && echo '{"plan": {}}' >"$T/runs/four/run.json"
check "a run that begins later is found" same "$(python3 -c "
import json, urllib.request
print(sorted(run['name'] for run in json.load(urllib.request.urlopen('http://127.0.0.1:$port/runs.json'))))")" "['four', 'one', 'two']"
kill -INT "$server"
wait "$server"
check "Ctrl-C ends it as it should" test $? == 0
server=
rm "$T/address" # that of the first one
(cd "$T/runs/one" && exec "$program" serve --page "$T/page" --port 0 .) >"$T/address" &
server=$!
for ((i = 0; i < 200; i++)); do
    grep -qs http "$T/address" && break
    read -rt 0.1 <> <(:)
done
check "a run that is given as . has its name" same "$(python3 -c "
import json, urllib.request
print([run['name'] for run in json.load(urllib.request.urlopen('$(grep -o 'http.*/' "$T/address")runs.json'))])")" "['one']"
kill -INT "$server"
wait "$server"
server=
"$program" serve --page "$T/nowhere" >"$T/out" 2>"$T/second"
check "no page is one sentence" same "$?: $(cat "$T/second")" \
    "1: tetralab serve: the page is not in $T/nowhere: 'make web' builds it, --page says where it is."
"$program" serve --page "$T/page" --port 0 "$T/nowhere" >"$T/out" 2>"$T/second"
check "no folder is one sentence" same "$?: $(cat "$T/second")" "1: tetralab serve: $T/nowhere: No such file or directory."
echo "$checks checks, $failures failed."
[[ $failures == 0 ]]
