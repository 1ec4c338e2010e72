# SPDX-License-Identifier: GPL-3.0-or-later
# The library: every layer but app/, api/ and mpi/. The kernel is one source, compiled once per instruction set;
# feature/kernel.c is told which of them exist and chooses at run time.
file(GLOB core_sources CONFIGURE_DEPENDS src/*/*.c)
file(GLOB api_sources CONFIGURE_DEPENDS src/api/*.c)
list(FILTER core_sources EXCLUDE REGEX "/src/(app|api|mpi|web)/|/(kernel_boards|boards_single)\\.c$")
if(EMSCRIPTEN) # the page has no files, and draws by itself
  list(FILTER core_sources EXCLUDE REGEX "/src/(patterns|picture|plot|reproduce|serve|view)/|/player/(database|database_row|database_file|tbp_player)\\.c$|/base/(child|data_folder)\\.c$")
else()
  list(FILTER core_sources EXCLUDE REGEX "/(database|child|players)_absent\\.c$")
endif()

# Everything goes into shared libraries too, hence is position-independent. With -fPIC the kernels would
# reach the tables of other files through a table of addresses; with -fPIE they do it directly, and the
# linker takes that for a shared library as well, as long as the library keeps all data that a kernel uses to
# itself (it refuses anything else). The sanitizers' own data is not.
if(sanitizers)
  set(kernel_position -fPIC)
else()
  set(kernel_position -fPIE)
endif()

set(avx2_flags -mavx2 -mbmi -mbmi2 -mpopcnt)
set(avx512_flags ${avx2_flags} -mlzcnt -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi
    -mavx512vbmi2 -mavx512bitalg -mavx512vpopcntdq -mavx512vnni)

# tetralab_kernel(VARIANT FLAG...): the sources of a kernel with -DLANES_VARIANT and the flags, if TETRALAB_KERNELS has it
set(kernel_objects)
set(kernel_definitions)
function(tetralab_kernel variant)
  string(TOLOWER "${variant}" name)
  if(NOT name MATCHES "^(plain|${wanted_kernels})$")
    return()
  endif()
  string(PREPEND name kernel_)
  add_library(${name} OBJECT src/feature/kernel_boards.c src/feature/boards_single.c)
  target_include_directories(${name} PRIVATE src)
  target_compile_definitions(${name} PRIVATE LANES_${variant})
  target_compile_options(${name} PRIVATE ${kernel_position} -Wno-psabi ${ARGN}
                         $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>) # no calls for small loops
  if(TETRALAB_FUZZ OR TETRALAB_SANITIZE STREQUAL thread)
    # No reader that is fuzzed calls a kernel, and kernels share nothing but constant tables.
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
  endif()
  set(kernel_definitions ${kernel_definitions} TETRALAB_KERNEL_${variant} PARENT_SCOPE)
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden)
  set(kernel_objects ${kernel_objects} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

if(TETRALAB_KERNELS STREQUAL all)
  set(wanted_kernels "128|avx2|avx512")
else()
  list(JOIN TETRALAB_KERNELS "|" wanted_kernels)
endif()
if(NOT EMSCRIPTEN) # a module with SIMD runs only where there is SIMD
  tetralab_kernel(PLAIN)
endif()
if(EMSCRIPTEN)
  tetralab_kernel(128 -msimd128 -Wno-pass-failed)
  set_source_files_properties(src/feature/boards_single.c PROPERTIES COMPILE_OPTIONS -Oz) # bytes of the page
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  tetralab_kernel(128 -msse4.2 -mpopcnt)
  tetralab_kernel(AVX2 ${avx2_flags})
  tetralab_kernel(AVX512 ${avx512_flags})
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
  tetralab_kernel(128)
endif()
set_source_files_properties(src/feature/kernel.c PROPERTIES COMPILE_DEFINITIONS "${kernel_definitions}")

if(EMSCRIPTEN)
  return() # cmake/engine.cmake goes on
endif()

# Data: the definitions of reproductions, and the lists of what was published. Programs find it beside them in the
# build folder, and once they are installed by the way from one folder to the other.
file(RELATIVE_PATH data_from_program "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_DATADIR}/tetralab")
set_source_files_properties(src/base/data_folder.c PROPERTIES COMPILE_DEFINITIONS
  "TETRALAB_DATA=\"${CMAKE_INSTALL_FULL_DATADIR}/tetralab\";TETRALAB_DATA_FROM_PROGRAM=\"${data_from_program}\"")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/reproductions" "${CMAKE_BINARY_DIR}/reproductions" SYMBOLIC)
install(DIRECTORY reproductions DESTINATION ${CMAKE_INSTALL_DATADIR}/tetralab)

add_library(tetralab_core STATIC ${core_sources} ${kernel_objects})
target_include_directories(tetralab_core PUBLIC src include)
target_link_libraries(tetralab_core PUBLIC PkgConfig::JANSSON PkgConfig::GSL PkgConfig::SQLITE Threads::Threads m)
foreach(kind PNG GIF)
  if(${kind}_FOUND)
    string(TOLOWER ${kind} source)
    set_source_files_properties(src/picture/${source}.c PROPERTIES COMPILE_DEFINITIONS TETRALAB_${kind})
    target_link_libraries(tetralab_core PRIVATE PkgConfig::${kind})
  endif()
endforeach()
if(HTTP_FOUND)
  set_source_files_properties(src/serve/http.c PROPERTIES COMPILE_DEFINITIONS TETRALAB_HTTP)
  target_link_libraries(tetralab_core PRIVATE PkgConfig::HTTP)
endif()
set_target_properties(tetralab_core PROPERTIES POSITION_INDEPENDENT_CODE ON)
if(CMAKE_C_COMPILER_ID STREQUAL GNU) # nobody replaces a function of it, so that they may be inlined (as clang does)
  target_compile_options(tetralab_core PRIVATE -fno-semantic-interposition)
endif()

# All of it as one shared object, for the tests: each would be linked with a copy of its own otherwise.
include(CheckLinkerFlag)
if(TETRALAB_TESTS)
  add_library(tetralab_tested SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tetralab_core> ${kernel_objects})
  target_include_directories(tetralab_tested INTERFACE src include)
  target_link_libraries(tetralab_tested INTERFACE PkgConfig::JANSSON PkgConfig::GSL PkgConfig::SQLITE Threads::Threads m
                        PRIVATE $<TARGET_PROPERTY:tetralab_core,LINK_LIBRARIES>)
  check_linker_flag(C "LINKER:-Bsymbolic" TETRALAB_LINKER_SYMBOLIC)
  if(TETRALAB_LINKER_SYMBOLIC) # its functions call each other directly; the tests have to reach its data in there
    target_link_options(tetralab_tested PRIVATE "LINKER:-Bsymbolic")
    target_compile_options(tetralab_tested INTERFACE -fPIC)
  endif()
endif()

# The shared library exports what include/tetralab.h marks as visible, and nothing else.
add_library(tetralab_shared SHARED ${api_sources})
target_include_directories(tetralab_shared PUBLIC include)
target_compile_definitions(tetralab_shared PRIVATE TETRALAB_VERSION="${PROJECT_VERSION}")
target_link_libraries(tetralab_shared PRIVATE tetralab_core)
set_target_properties(tetralab_shared PROPERTIES OUTPUT_NAME tetralab C_VISIBILITY_PRESET hidden
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      PUBLIC_HEADER "${CMAKE_SOURCE_DIR}/include/tetralab.h")
# Its symbols are versioned where the linker knows how to: a program finds out when it starts, not when it calls,
# that a library is too old for it.
configure_file(cmake/tetralab.map.in tetralab.map @ONLY)
check_linker_flag(C "LINKER:--version-script=${CMAKE_BINARY_DIR}/tetralab.map" TETRALAB_LINKER_VERSIONS)
if(TETRALAB_LINKER_VERSIONS)
  target_link_options(tetralab_shared PRIVATE "LINKER:--version-script=${CMAKE_BINARY_DIR}/tetralab.map")
  set_target_properties(tetralab_shared PROPERTIES LINK_DEPENDS "${CMAKE_BINARY_DIR}/tetralab.map")
endif()
install(TARGETS tetralab_shared)

# tetralab.pc finds the prefix from its own place: an installed tree may be moved.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig "/${pkgconfig_folder}" "/")
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
configure_file(cmake/tetralab.pc.in tetralab.pc @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/tetralab.pc" DESTINATION ${pkgconfig_folder})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
