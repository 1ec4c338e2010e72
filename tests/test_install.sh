#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `make install` leaves is all that a user's program needs: the header is plain C99 and C++, the shared
# library exports what the header names and nothing else, and the examples build with pkg-config and run. The
# documents that are installed lead to each other. What is optional for building may be missing.
# Usage: tests/test_install.sh PROGRAM SOURCE_FOLDER     PROGRAM is in the build folder
set -u
build=$(dirname "$1")
S=$2
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

if ! DESTDIR='' cmake --install "$build" --prefix "$T/prefix" >"$T/install.log" 2>&1; then
    cat "$T/install.log"
    exit 1
fi
# Moved after it was installed: nothing may remember where it was.
mv "$T/prefix" "$T/moved"
PKG_CONFIG_PATH=$(dirname "$(find "$T/moved" -name tetralab.pc)")
library=$(find "$T/moved" -name libtetralab.so)
header=$T/moved/include/tetralab.h
export PKG_CONFIG_PATH
export LD_LIBRARY_PATH=${library%/*}
read -ra flags <<<"$(pkg-config --cflags --libs tetralab)"
[[ ${flags[*]} == *"$T/moved"* ]] || fail "pkg-config does not find the installed library: ${flags[*]}"
for private in jansson gsl; do
    [[ ${flags[*]} != *"$private"* ]] || fail "pkg-config asks users for $private: ${flags[*]}"
done
version=$("$1" --version | cut -d' ' -f2)
[[ $(pkg-config --modversion tetralab) == "$version" ]] || fail "tetralab.pc is not of version $version."

# Its data is found where it was moved to; where it is not, the program says where it looked.
[[ $("$T/moved/bin/tetralab" reproduce list) == "$("$1" reproduce list)" ]] ||
    fail "The installed program does not find its reproductions."
mkdir "$T/alone" && cp "$T/moved/bin/tetralab" "$T/alone"
for wanted in list p0-table1; do
    "$T/alone/tetralab" reproduce "$wanted" >"$T/log" 2>&1 && [[ ! -e /usr/local/share/tetralab/reproductions ]] &&
        fail "A program without its data has reproductions."
    [[ -e /usr/local/share/tetralab/reproductions ]] ||
        grep -q "There is no reproductions beside the program in $T/alone, nor in $T/alone/../share/tetralab or " "$T/log" ||
        fail "A program without its data says: $(cat "$T/log")"
done
run_alone() { "$T/alone/tetralab" measure bcts --board 6x8 --precision 50% --plot "$T/alone.svg" >"$T/log" 2>&1; }
if command -v gnuplot >/dev/null; then run_alone || fail "A program without its data does not measure: $(cat "$T/log")"; fi

# A 32-bit machine is refused before anything is compiled. Only the compiler is asked: it needs no library for it.
if echo 'int x;' | ${CC:-cc} -m32 -c -x c -o "$T/x.o" - 2>"$T/m32.log"; then
    cmake -S "$S" -B "$T/m32" -DCMAKE_C_FLAGS=-m32 -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY >"$T/m32.log" 2>&1 &&
        fail "A 32-bit build was configured."
    grep -q 'Tetralab needs a 64-bit machine' "$T/m32.log" || fail "A 32-bit build is refused without a reason."
fi

# Exported is what the header declares.
declared=$(tr '\n' ' ' <"$header" | grep -oE '\bTETRALAB_API [^(;]*\(' | grep -oE 'tetralab_[a-z_]+\(' | tr -d '(' |
    sort -u)
symbols=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $3}') # A: the name of a version itself
exported=$(sed 's/@.*//' <<<"$symbols" | sort -u)
! grep -v '@@TETRALAB_[0-9]*$' <<<"$symbols" || fail "These symbols have no version."
readelf -d "$library" | grep -q "SONAME.*\[libtetralab\.so\.${version%%.*}\]" || fail "The soname is not of $version."
[[ -n $exported ]] || fail "nm finds no symbol in $library."
[[ $declared == "$exported" ]] ||
    fail "declared (<) and exported (>) differ: $(diff <(echo "$declared") <(echo "$exported"))"
! readelf -d "$library" | grep -q TEXTREL || fail "$library is not position-independent."

# As the only header of a file, in both languages.
warnings=(-pedantic-errors -Wall -Wextra -Wshadow -Werror -fsyntax-only)
echo '#include <tetralab.h>' >"$T/alone.c"
cp "$T/alone.c" "$T/alone.cpp"
cc -std=c99 "${warnings[@]}" -Wstrict-prototypes "${flags[0]}" "$T/alone.c" || fail "The header is not C99."
if command -v c++ >/dev/null; then
    c++ -std=c++11 "${warnings[@]}" "${flags[0]}" "$T/alone.cpp" || fail "The header is not C++11."
    cat >"$T/use.cpp" <<'END'
#include <cstdio>
#include <tetralab.h>
int main() { return std::puts(tetralab_version()) < 0; }
END
    c++ "$T/use.cpp" -o "$T/use" "${flags[@]}" || fail "A C++ program does not link."
    [[ $("$T/use") == "$version" ]] || fail "The C++ program prints something else than $version."
else
    echo "Skipped: there is no C++ compiler."
fi

# run EXPECTED COMMAND...: what it prints on either stream matches the pattern
run() {
    local expected=$1 text
    shift
    text=$("$@" 2>&1)
    [[ $text =~ $expected ]] || fail "$* prints"$'\n'"$text"$'\n'"instead of $expected"
}
for name in play choose measure learn; do
    cc -std=c99 -pedantic -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror "$S/examples/$name.c" \
        -o "$T/$name" "${flags[@]}" || fail "examples/$name.c does not compile."
done
run '^bcts \(Thiery.* on 10x8.mean    [0-9]+ lines, 95 % interval [0-9]+ to [0-9]+.median .*.games   20, ' \
    "$T/play" bcts 10x8 20
run '^play: "bctz" is neither .*did you mean "bcts"' "$T/play" bctz
run '^I in orientation 1 at column 8, row 0; lines: 2
........@.
########@#
########@#
####.###@#
after it:
..........
..........
........#.
####.#####$' "$T/choose" I bcts < <(printf '########.#\n########.#\n####.###.#\n')
run 'bcts on 10x6: [0-9]+ lines, 95 % interval [0-9]+ to [0-9]+
xtris makes 0\.[0-9]+ times as many lines as bcts, 95 % interval 0\.' "$T/measure" bcts xtris 10x6
run '^measure: "bctz" is neither ' "$T/measure" bctz xtris
run '^generation 1: .*
generation 2: .*
landing-height +-?[0-9].*
.*"weights": \{' "$T/learn" 2 10x6
run '^learn: generations: ' "$T/learn" none
run '^choose: board:2:1: ' "$T/choose" I bcts < <(printf '####.\nx###.\n')

# Links of installed documents: the sources are not installed, so that there are none into them.
documents=$(dirname "$(find "$T/moved" -name RESULTS.md)")
while IFS= read -r document; do
    while IFS= read -r target; do
        [[ -e $(dirname "$document")/$target ]] ||
            fail "${document#"$documents/"}: the link to $target leads to nothing that is installed."
    done < <(grep -oE '\]\([^)# ]+' "$document" | sed 's/^](//' | grep -v '^[a-z]*://')
done < <(find "$documents" -name '*.md')
[[ -f $documents/README.md && -f $documents/docs/api.md ]] || fail "There are no documents in $documents."
while IFS= read -r needed; do
    grep -qi "\b$needed\b" "$documents/docs/api.md" || fail "docs/api.md does not say that lib$needed is needed."
done < <(readelf -d "$library" | sed -n 's/.*NEEDED.*\[lib\([a-z]*\)[0-9]*\.so.*/\1/p' | grep -vx 'c\|m')

# Where only optional packages are missing `make` goes on and says what is left out; where others are it stops.
mkdir "$T/bin"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do ln -s "$folder"/* "$T/bin" 2>/dev/null; done
rm -f "$T"/bin/{gnuplot*,mpicc*,mpirun*,apt-get,dnf,pacman,apk,brew,sudo}
PATH=$T/bin "$S/scripts/install-packages" build >"$T/packages" 2>&1 ||
    fail "install-packages stops where only optional packages are missing: $(cat "$T/packages")"
grep -q 'gnuplot-nox is not installed, so that ' "$T/packages" || fail "It does not say what is left out."
rm -f "$T/bin/cmake"
PATH=$T/bin "$S/scripts/install-packages" build >"$T/packages" 2>&1 &&
    fail "install-packages goes on without CMake."
grep -q 'needs what Debian calls cmake; ' "$T/packages" || fail "It does not say that cmake is missing."
rm -f "$T/bin/pkg-config"
while read -r manager wanted; do # on other systems, by their names
    ln -s /bin/true "$T/bin/$manager"
    PATH=$T/bin "$S/scripts/install-packages" build >"$T/packages" 2>&1 && fail "install-packages goes on with $manager."
    grep -q " $manager .* $wanted " <(sed 's/$/ /' "$T/packages") ||
        fail "It does not name what is missing for $manager: $(cat "$T/packages")"
    rm "$T/bin/$manager"
done <<'END'
dnf cmake pkgconf-pkg-config jansson-devel
pacman cmake pkgconf jansson
apk cmake pkgconf jansson-dev
brew cmake pkgconf jansson
END

echo "$failures mistakes."
[[ $failures == 0 ]]
