# SPDX-License-Identifier: GPL-3.0-or-later
# Flags of every file. No contraction to fused multiply-add: it would round differently from one
# compiler or machine to the next.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
# Lines of tables leave out what is zero.
add_compile_options(-ffp-contract=off -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-missing-field-initializers)
if(TETRALAB_WERROR)
  add_compile_options(-Werror)
endif()

if(TETRALAB_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "The fuzz targets need clang: add -DCMAKE_C_COMPILER=clang, or use --preset fuzz.")
  endif()
  set(sanitizers fuzzer-no-link,address,undefined)
  if(TETRALAB_FUZZ STREQUAL FAST)
    set(sanitizers undefined)
  endif()
else()
  set(sanitizers "${TETRALAB_SANITIZE}")
endif()
if(TETRALAB_FUZZ STREQUAL FAST)
  # For large numbers of inputs: undefined behaviour is a trap, asserts stay, and only edges are counted.
  add_compile_options(-O2 -g -fsanitize=${sanitizers} -fsanitize-trap=${sanitizers}
                      -fsanitize-coverage=inline-8bit-counters,pc-table)
elseif(sanitizers)
  # -O1: half as slow as -O0, and the reports still name the right lines.
  add_compile_options(-O1 -g -fno-omit-frame-pointer -fsanitize=${sanitizers} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${sanitizers})
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fno-var-tracking) # for the debugger only, and minutes of it in the kernels
  endif()
endif()
