# SPDX-License-Identifier: GPL-3.0-or-later
# For scripts that count what they check: . "$(dirname "$0")/checks.sh"
checks=0 failures=0
check() { # WHAT COMMAND...
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    failures=$((failures + 1))
    echo "FAILED: $what"
}
same() { [[ $1 == "$2" ]] || { printf '  %s\n  %s\n' "$1" "$2" && false; }; }
