#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What comes with the program: every command has a manual page that man can read and that has all options of its help;
# bash completes what the tables say; what `make install` puts somewhere, `make uninstall` removes; the Debian packages
# install and go without a trace, in a folder of their own that stands for the machine.
# Usage: tests/test_package.sh PROGRAM SOURCE_FOLDER     PROGRAM is in the build folder
set -u
program=$(realpath "$1")
build=$(dirname "$program")
S=$2
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}
commands=$("$program" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ $commands == play*help ]] || fail "The commands are: $commands"

# help is --help
[[ $("$program" help) == "$("$program" --help)" ]] || fail "'tetralab help' is not 'tetralab --help'."
for name in $commands; do
    [[ $("$program" help "$name") == "$("$program" "$name" --help)" ]] || fail "'tetralab help $name' is another text."
done

# Manual pages: those of the build, without warnings, with every option of the help.
plain() { # text of a page without its formatting
    MANWIDTH=200 man --no-hyphenation --no-justification -E UTF-8 -P cat -l - 2>&1 | sed 's/.\x08//g'
}
for name in tetralab $commands; do
    page=$build/manual/tetralab-$name.1.gz
    [[ $name == tetralab ]] && page=$build/manual/tetralab.1.gz
    [[ -f $page ]] || page=${page%.gz}
    [[ -f $page ]] || {
        fail "There is no page $page."
        continue
    }
    text=$("$program" help --man "$name")
    [[ $(gzip -cdf "$page") == "$text" ]] || fail "$page is old."
    if command -v groff >/dev/null; then
        warnings=$(groff -man -Tutf8 -k -ww -b <<<"$text" 2>&1 >/dev/null)
        [[ -z $warnings ]] || fail "groff about the page of $name: $warnings"
    fi
    if command -v mandoc >/dev/null; then # it asks for a date, which a page made by the program has not
        warnings=$(mandoc -T lint -W warning <<<"$text" | grep -v 'missing date')
        [[ -z $warnings ]] || fail "mandoc about the page of $name: $warnings"
    fi
    options=$(sed 's/\\-/-/g; s/\\f[BIR]//g' <<<"$text" | grep -oE '^--[a-z-]+' | sort -u)
    helped=$("$program" help "${name/#tetralab/help}" | grep -oE '^  --[a-z-]+' | tr -d ' ' | grep -vx -e --help | sort -u)
    [[ $name == tetralab || $options == "$helped" ]] || fail "The page of $name has other options than its help."
done
if command -v man >/dev/null && command -v groff >/dev/null; then
    text=$("$program" help --man db | plain)
    [[ $text == *'tetralab-db - look into databases'*'tetralab db stat|verify|export|compact FILE'*'verify    reads everything'*'--out FILE'* ]] ||
        fail "man shows of db:"$'\n'"$text"
fi

# complete WORD... -> REPLY: what bash offers for the last word of this command line
source <("$program" help --completion)
complete_words() {
    COMP_WORDS=(tetralab "$@") COMP_CWORD=$# COMPREPLY=()
    _tetralab
    REPLY="${COMPREPLY[*]}"
}
# offers EXPECTED WORD...
offers() {
    local expected=$1
    shift
    complete_words "$@"
    [[ $(tr ' ' '\n' <<<"$REPLY" | sort) == "$(tr ' ' '\n' <<<"$expected" | sort)" ]] || fail "For 'tetralab $*' bash offers '$REPLY', not '$expected'."
}
mkdir -p "$T/here/folder" && touch "$T/here/file.json" && cd "$T/here" || exit 1
complete_words ''
offered=$REPLY
for name in $commands; do
    [[ " $offered " == *" $name "* ]] || fail "bash does not offer the command $name."
    complete_words "$name" --
    [[ $(tr ' ' '\n' <<<"$REPLY" | sort -u) == "$("$program" help "$name" | grep -oE '^  --[a-z-]+' | tr -d ' ' | sort -u)" ]] ||
        fail "bash offers other options of $name than its help: $REPLY"
done
offers measure mea
offers 'bcts bcts-2 bcts-ahead' play bcts
offers 'lenient strict touch' play bcts --overflow ''
offers strict play bcts --overflow = s
offers 'du,jags' learn --features du,jag
offers 'cmaes nce ga pso' learn --method ''
offers 'folder' learn --resume f
offers 'fahey fahey-1 folder file.json' measure f
offers 'folder file.json' measure bcts --json f
offers '' play bcts --games ''
offers 'dt-10 dt-20 dt-20-ahead' play --show dt
offers 'perft' help per

# What is installed is removed again, and nothing else.
prefix=$T/prefix
mkdir -p "$prefix/share/doc" && touch "$prefix/share/doc/another"
DESTDIR=$T/staged cmake --install "$build" --prefix "$prefix" >"$T/log" 2>&1 || fail "$(cat "$T/log")"
find "$T/staged" -type f | grep -q 'man/man1/tetralab-learn\.1' || fail "The manual pages are not installed."
[[ -f $T/staged$prefix/share/bash-completion/completions/tetralab ]] || fail "The completion is not installed."
[[ -f $T/staged$prefix/share/tetralab/reproductions/published/p0.json ]] || fail "The reproductions are not installed."
touch "$T/staged$prefix/bin/another"
cp "$build/install_manifest.txt" "$T/installed"
DESTDIR=$T/staged "$S/scripts/uninstall" "$T/installed" >"$T/log" 2>&1 || fail "uninstall: $(cat "$T/log")"
left=$(find "$T/staged" ! -type d)
[[ $left == "$T/staged$prefix/bin/another" ]] || fail "uninstall leaves: $left"
[[ ! -e $T/staged$prefix/share/doc/tetralab && ! -e $T/staged$prefix/share/tetralab ]] ||
    fail "uninstall leaves the folder of documents, or that of data."
"$S/scripts/uninstall" "$T/installed" >"$T/log" 2>&1 && fail "uninstall has something to do twice."
grep -q 'nothing was installed from here' "$T/log" || fail "uninstall does not say why it fails: $(cat "$T/log")"

# The packages, in a folder that stands for the machine; ldconfig is not the machine's.
if ! command -v dpkg-shlibdeps >/dev/null || { [[ $(id -u) != 0 ]] && ! command -v fakeroot >/dev/null; }; then
    echo "Skipped: the Debian packages need dpkg-dev, and fakeroot or root."
    echo "$failures mistakes."
    [[ $failures == 0 ]]
    exit
fi
cpack --config "$build/CPackConfig.cmake" -B "$T/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >"$T/log" 2>&1 || fail "cpack: $(cat "$T/log")"
package=$(find "$T/packages" -maxdepth 1 -name 'tetralab_*.deb')
[[ $(dpkg-deb -f "$package" Depends) == *libgsl*libjansson*libsqlite3* ]] || fail "$package does not name its libraries."
[[ $(dpkg-deb -f "$package" Version) == "$("$program" --version | cut -d' ' -f2)" ]] || fail "$package has another version."
[[ $(dpkg-deb -f "$package" Depends) != *mpi* ]] || fail "$package needs MPI."
root=$T/root
mkdir -p "$root/var/lib/dpkg/"{info,updates,triggers} "$T/bin"
touch "$root/var/lib/dpkg/"{status,available}
printf '#!/bin/sh\necho called >>"%s"\n' "$T/ldconfig" >"$T/bin/ldconfig"
chmod +x "$T/bin/ldconfig"
packages() {
    local as=()
    [[ $(id -u) == 0 ]] || as=(fakeroot)
    PATH=$T/bin:$PATH "${as[@]}" dpkg --root="$root" --log="$T/dpkg.log" --force-not-root --force-depends \
        --force-script-chrootless "$@" >"$T/log" 2>&1 || fail "dpkg $*: $(cat "$T/log")"
}
find "$root" | sort >"$T/before"
packages -i "$T"/packages/*.deb
[[ $("$root/usr/bin/tetralab" bench --signature) == "$("$program" bench --signature)" ]] ||
    fail "The program of the package makes other moves."
[[ -f $root/usr/share/man/man1/tetralab-learn.1.gz && -f $root/usr/share/doc/tetralab/copyright ]] ||
    fail "The package has no manual pages or no copyright."
[[ $("$root/usr/bin/tetralab" reproduce list) == "$("$program" reproduce list)" ]] ||
    fail "The program of the package does not find its reproductions."
for deb in "$T"/packages/*.deb; do
    packages -P "$(dpkg-deb -f "$deb" Package)"
done
left=$(find "$root" | sort | diff "$T/before" - | sed -n 's/^> //p' | grep -v '^[^ ]*/var/lib/dpkg/')
[[ -z $left ]] || fail "The packages leave: $left"
[[ $(wc -l <"$T/ldconfig") == 2 ]] || fail "ldconfig is not told when the library comes and goes."

echo "$failures mistakes."
[[ $failures == 0 ]]
