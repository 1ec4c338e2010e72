# SPDX-License-Identifier: GPL-3.0-or-later
# The libraries, and what to do when one is missing.
find_package(Threads REQUIRED)
find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config is missing; scripts/install-packages installs it.")
endif()

function(tetralab_find prefix module)
  pkg_check_modules(${prefix} IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${prefix}_FOUND)
    message(FATAL_ERROR "The library ${module} is missing; scripts/install-packages installs it.")
  endif()
endfunction()

tetralab_find(JANSSON jansson) # JSON, with line and column in its errors
tetralab_find(GSL gsl)         # distributions and quantiles
if(EMSCRIPTEN)
  return()
endif()
tetralab_find(SQLITE sqlite3>=3.37) # the database of visited states; strict tables are new in 3.37
# Pictures; without these `tetralab draw` writes SVG only.
pkg_check_modules(PNG IMPORTED_TARGET GLOBAL libpng)
pkg_check_modules(GIF IMPORTED_TARGET GLOBAL libgif)
# The terminal; without it `tetralab watch` prints plain text only.
pkg_check_modules(NCURSES IMPORTED_TARGET GLOBAL ncursesw)
# The web server of `tetralab serve`.
pkg_check_modules(HTTP IMPORTED_TARGET GLOBAL libmicrohttpd)
if(TETRALAB_TESTS)
  tetralab_find(CMOCKA cmocka)
endif()
