# SPDX-License-Identifier: GPL-3.0-or-later
# The toolchain of the preset aarch64: Debian's cross compiler, the libraries that scripts/aarch64-libraries has
# fetched, and qemu-user to run what was built (scripts/aarch64).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/../scripts/aarch64-libraries" --where
                OUTPUT_VARIABLE aarch64_libraries OUTPUT_STRIP_TRAILING_WHITESPACE)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${aarch64_libraries}")
set(ENV{PKG_CONFIG_LIBDIR} "${aarch64_libraries}/usr/lib/aarch64-linux-gnu/pkgconfig")
set(CMAKE_FIND_ROOT_PATH "${aarch64_libraries}" /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../scripts/aarch64;run")
