#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# CMA-ES, step by step, against an independent program on the same samples: tests/check_cmaes.py says how.
# Usage: tests/test_cmaes_reference.sh PROGRAM SOURCE_FOLDER
set -u -o pipefail
trace=$(dirname "$1")/tests/test_cmaes
python=/usr/bin/python3
[[ -x $python ]] || python=python3
if ! "$python" -c 'import cmaes' 2>/dev/null; then
    echo "Skipped: Debian's python3-cmaes is not installed; scripts/install-packages installs it."
    exit 77
fi
"$trace" trace | "$python" "$2/tests/check_cmaes.py"
