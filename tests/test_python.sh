#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: its wheel is built, installed into a fresh environment and tested there; the source archive has
# all that a build needs. The wheel takes the library of this build; only the archive's own build is configured, and
# checked for missing files, without being compiled.
# Packages come from PyPI, once, into the build folder; where they cannot be had this test is skipped.
# Usage: tests/test_python.sh PROGRAM SOURCE_FOLDER [pytest's arguments]     PROGRAM is in the build folder
set -u
build=$(realpath "$(dirname "$1")")
cd "$2" || exit 1
S=$PWD
shift 2
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
folder=$build/python
export PYTHONPYCACHEPREFIX=$folder/cache PIP_DISABLE_PIP_VERSION_CHECK=1 # no compiled files beside the sources
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}
skip() {
    echo "Skipped: $*"
    exit 77
}

# The packages, as python/requirements-test.txt names them: kept as long as it does not change.
python=/usr/bin/python3
[[ -x $python ]] || python=$(command -v python3) || skip "there is no python3."
"$python" -c 'import ensurepip' 2>/dev/null ||
    skip "Debian's python3-venv is not installed; scripts/install-packages installs it."
packages=$folder/packages
if ! cmp -s python/requirements-test.txt "$packages/requirements"; then
    rm -rf "$packages"
    "$python" -m venv "$packages" || exit 1
    timeout 240 "$packages/bin/pip" install -q --no-deps --no-compile --retries 2 \
        -r python/requirements-test.txt >"$T/pip" 2>&1
    status=$?
    [[ $status == 124 ]] && skip "PyPI is too slow: the packages of python/requirements-test.txt were not here after 4 minutes."
    if [[ $status != 0 ]]; then
        said=$(grep -m 1 -iE 'connection|resolution|timed out|max retries|proxyerror|no matching distribution|could not find a version|http ?error|client error|server error|requires a different python' "$T/pip") &&
            skip "the packages of python/requirements-test.txt cannot be had from PyPI: $said"
        cat "$T/pip"
        exit 1
    fi
    cp python/requirements-test.txt "$packages/requirements"
fi

# The wheel, through pip as a user does, but with the library that is already built.
"$packages/bin/pip" wheel -q --no-deps --no-build-isolation --no-index -w "$T" \
    --config-settings build-dir="$T/wheel" \
    --config-settings cmake.define.TETRALAB_LIBRARY="$(realpath "$build/libtetralab.so")" "$S" >"$T/log" 2>&1 ||
    { cat "$T/log" && exit 1; }
wheel=$(echo "$T"/*.whl)
[[ $wheel == *-py3-none-* ]] || fail "The wheel is not one for every Python 3: ${wheel##*/}"

# A fresh environment, which sees the other packages behind its own.
fresh=$T/fresh
"$packages/bin/python" -m venv --without-pip "$fresh" || exit 1
site=$("$fresh/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$packages/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/packages.pth"
"$packages/bin/pip" --python "$fresh/bin/python" install -q --no-deps --no-index "$wheel" || exit 1

cd "$T" || exit 1
export TETRALAB_PROGRAM=$build/tetralab
"$fresh/bin/python" -m pytest -q -p no:cacheprovider --rootdir "$S/python/tests" "$S/python/tests" "$@" ||
    fail "Tests of the Python package fail."
"$fresh/bin/python" -m mypy --strict --cache-dir "$folder/mypy" -p tetralab || fail "The type hints are wrong."

# Alone with numpy it works as well.
mkdir "$T/alone"
for name in numpy numpy.libs; do ln -s "$("$packages/bin/python" -c 'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))')/$name" "$T/alone/"; done
PYTHONPATH=$site/:$T/alone "$python" -S -c 'import tetralab; print(tetralab.Player("bcts").choose([0] * 10, "T"))' >"$T/out" 2>&1 &&
    grep -q '^Move(' "$T/out" || fail "With numpy alone the package does not work: $(cat "$T/out")"

# The source archive: everything is in it.
cd "$S" && "$packages/bin/python" -c '
import sys
from scikit_build_core.build import build_sdist
print(build_sdist(sys.argv[1]))' "$T" >"$T/log" 2>&1 || { cat "$T/log" && exit 1; }
tar -xzf "$T"/tetralab-*.tar.gz -C "$T" && rm "$T"/tetralab-*.tar.gz
cmake -G Ninja -S "$T"/tetralab-* -B "$T/sdist" -DTETRALAB_TESTS=OFF -DTETRALAB_MPI=OFF >"$T/log" 2>&1 &&
    ninja -C "$T/sdist" -n tetralab_shared >>"$T/log" 2>&1 ||
    fail "The source archive cannot be built: $(tail -20 "$T/log")"

echo "$failures mistakes."
[[ $failures == 0 ]]
