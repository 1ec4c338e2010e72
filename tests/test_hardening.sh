#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A few steps of the attacks in tests/attack: enough to keep the scripts alive and to find what breaks at once.
# Usage: tests/test_hardening.sh PROGRAM SOURCE_FOLDER
attack=$2/tests/attack
failures=0
"$attack/output-input" "$1" || failures=1
"$attack/full-disk" "$1" 1 || failures=1
"$attack/allocations" "$1" 97 2 || failures=1
"$attack/kill" "$1" 1 1 database || failures=1
"$attack/damaged-database" "$1" 1 || failures=1
exit $failures
