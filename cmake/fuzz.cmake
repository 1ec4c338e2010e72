# SPDX-License-Identifier: GPL-3.0-or-later
# tests/fuzz/fuzz_NAME.c, each with LLVMFuzzerTestOneInput; "fuzz" builds them all.
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
add_custom_target(fuzz)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE tetralab_core)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
  add_dependencies(fuzz ${name})
endforeach()
