# SPDX-License-Identifier: GPL-3.0-or-later
# The toolchain of the preset web: Debian's emscripten, and the libraries that scripts/wasm-libraries has built.
find_program(EMCC emcc REQUIRED)
get_filename_component(emscripten "${EMCC}" REALPATH)
get_filename_component(emscripten "${emscripten}" DIRECTORY)
include("${emscripten}/cmake/Modules/Platform/Emscripten.cmake")
execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/../scripts/wasm-libraries" --where
                OUTPUT_VARIABLE wasm_libraries OUTPUT_STRIP_TRAILING_WHITESPACE)
set(ENV{PKG_CONFIG_LIBDIR} "${wasm_libraries}/lib/pkgconfig")
set(ENV{EM_PKG_CONFIG_PATH} "${wasm_libraries}/lib/pkgconfig")
list(APPEND CMAKE_FIND_ROOT_PATH "${wasm_libraries}")
