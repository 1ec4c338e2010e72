# SPDX-License-Identifier: GPL-3.0-or-later
# A thin layer over CMake: make, make demo, make web, make map, make site, make check, make check-all,
# make check-release, make check-docs, make install and make uninstall [PREFIX=...] [DESTDIR=...], make deb, make clean
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo web map site check check-all check-release check-docs install uninstall deb clean

all:
	@scripts/install-packages build
	@test -f build/build.ninja || cmake --preset release
	@cmake --build --preset release

# Only the program: the tests are as much to build again.
demo:
	@scripts/install-packages build
	@test -f build/build.ninja || cmake --preset release
	@cmake --build --preset release --target tetralab
	@scripts/demo

# The page for browsers, into build/web.
web:
	@scripts/web

# The documents as a web site, into build/site; with the page, if `make web` was run before.
site:
	@scripts/site

# The map of the source: every file in one line.
map:
	@scripts/map

# Before a commit, minutes: this build's tests, and what reads files once more under the address sanitizer.
check:
	@scripts/install-packages check
	@scripts/build-preset release all
	@ctest --preset check -j $(JOBS)

# Before something is sent, a quarter of an hour: check, and every other build, package and attack.
check-all:
	@scripts/install-packages all
	@scripts/build-preset release all
	@ctest --preset check-all -j $(JOBS)

# Before a release, hours: check-all, and long comparisons, slow commands of the documents, coverage, fuzzing.
check-release: check-all
	@nice -n 19 scripts/check-release

# A part of check-release: every command that README.md and docs/ show, also the slow ones, prints what they say.
check-docs: all
	@nice -n 19 scripts/check-release docs

install: all
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"
	@cp build/install_manifest.txt build/installed.txt

# What the last install from here has installed.
uninstall:
	@DESTDIR="$(DESTDIR)" scripts/uninstall build/installed.txt

# Debian packages, into build/packages.
deb: all
	@cpack --config build/CPackConfig.cmake

clean:
	@rm -rf build build-debug build-clang build-asan build-tsan build-fuzz build-fuzz-fast build-aarch64 build-web
