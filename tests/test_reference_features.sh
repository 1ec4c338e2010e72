#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The features that tetralab prints against tests/reference_features.py, which was written without its code.
# Usage: tests/test_reference_features.sh PROGRAM SOURCE_FOLDER
set -u
python=/usr/bin/python3
[[ -x $python ]] || python=$(command -v python3) || { echo "Skipped: there is no python3." && exit 77; }
"$python" "$2/tests/reference_features.py" "$1"
