#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Is every C file formatted by .clang-format? Only where clang-format 14 is found: others break lines elsewhere.
# Usage: tests/test_format.sh PROGRAM SOURCE_FOLDER
set -u
cd "$2" || exit 1
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    echo "Skipped: clang-format 14 is not installed."
    exit 0
fi
find src tests include examples -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror 2>&1 | grep 'error:' | head -20
[[ ${PIPESTATUS[1]} == 0 ]] && echo "All C files are formatted." && exit 0
echo "Run: git ls-files '*.c' '*.h' | xargs clang-format -i" >&2
exit 1
