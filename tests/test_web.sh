#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page: built by the script of `make web`, its engine in Node, and all of it in Chromium, served by `tetralab serve`.
# TETRALAB_PICTURES, in the environment, is a folder for pictures of all views.
# Usage: tests/test_web.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "$1")
cd "$2" || exit 1
. tests/checks.sh
T=$(mktemp -d)
server=
trap '[[ $server ]] && kill "$server"; wait; rm -rf "$T"' EXIT
skip() {
    echo "Skipped: $*"
    exit 77
}

command -v node >/dev/null || skip "node is missing; scripts/install-packages installs it (Debian's npm)."
scripts/web "$T/page" >"$T/log" 2>&1
code=$?
[[ $code == 77 ]] && skip "$(tail -1 "$T/log")"
check "the page is built" test $code == 0 || { cat "$T/log"; exit 1; }

for file in web/*; do
    case $file in */runs.* | */offline.js) continue ;; esac
    check "$file is kept for when there is no network" grep -q "\"${file#web/}\"" web/offline.js
done
cp web/engine.js "$T/engine.mjs"
check "the engine in Node" node tests/web/engine.mjs "$T/page" "$T/engine.mjs" "$program"

# A browser, and what drives it.
finish() {
    echo "$checks checks, $failures failed.$*"
    [[ $failures == 0 ]]
    exit
}
chromium=$(command -v chromium) || finish " Chromium is missing: the page was not looked at (scripts/install-packages installs it)."
tools=$(dirname "$program")/web-tools
if [[ ! -d $tools/node_modules/playwright-core ]]; then
    command -v npm >/dev/null || finish " npm is missing: the page was not looked at (scripts/install-packages installs it)."
    mkdir -p "$tools"
    (cd "$tools" && npm install --no-audit --no-fund playwright-core) >"$T/npm" 2>&1 ||
        finish " npm could not fetch playwright-core: the page was not looked at."
fi
"$program" learn --board 10x10 --features dellacherie --generations 4 --out "$T/run" >/dev/null 2>&1
"$program" serve --page "$T/page" --port 0 "$T/run" >"$T/address" 2>"$T/serve" &
server=$!
for ((i = 0; i < 200; i++)); do
    grep -qs http "$T/address" && break
    kill -0 "$server" 2>/dev/null || { server= && finish " $(cat "$T/serve")"; }
    read -rt 0.1 <> <(:)
done
address=$(grep -o 'http://[^ ]*/' "$T/address")
check "the page in Chromium" node tests/web/browser.mjs "$address" "$program" "$tools" "$chromium" ${TETRALAB_PICTURES:+"$TETRALAB_PICTURES"}
kill -INT "$server"
wait "$server"
check "Ctrl-C ends the server as it should" test $? == 0
server=
finish
