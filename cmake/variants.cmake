# SPDX-License-Identifier: GPL-3.0-or-later
# What the other presets have to show, as tests of the release build: address, undefined and thread
# sanitizers are silent, clang with asserts and another machine play the same moves and the latter learns the
# same players, the readers survive fuzzing. `make check` has the readers under the address sanitizer, everything
# else waits for `make check-all`.

# tetralab_variant(FIXTURE PRESET TARGET...): the fixture that builds these targets of the preset
function(tetralab_variant fixture preset)
  add_test(NAME ${fixture}.build WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
           COMMAND scripts/build-preset ${preset} ${ARGN})
  # Both processors, and first of all: ctest -j knows how long a test takes only from the run before.
  set_tests_properties(${fixture}.build PROPERTIES FIXTURES_SETUP ${fixture} LABELS check-all PROCESSORS 2 COST 1000
                       RESOURCE_LOCK ${preset})
endfunction()

# tetralab_variant_test(FIXTURE PRESET TEST COMMAND...)
function(tetralab_variant_test fixture preset name)
  add_test(NAME ${preset}.${name} COMMAND ${ARGN})
  set_tests_properties(${preset}.${name} PROPERTIES FIXTURES_REQUIRED ${fixture} LABELS check-all
                       ENVIRONMENT "TETRALAB_TEST_EFFORT=5")
endfunction()

set(asan ${CMAKE_SOURCE_DIR}/build-asan)
tetralab_variant(readers asan readers)
tetralab_variant(asan asan all)
foreach(name ${test_names})
  set(fixture asan)
  if(name IN_LIST reader_tests)
    set(fixture readers)
  endif()
  tetralab_variant_test(${fixture} asan ${name} ${asan}/tests/${name})
endforeach()
foreach(name ${corpus_names})
  file(GLOB examples CONFIGURE_DEPENDS tests/fuzz/${name}/*)
  set(rounds 2000)
  if(name MATCHES "database|history") # work on files, hence slow
    set(rounds 200)
  endif()
  tetralab_variant_test(readers asan corpus_${name} ${asan}/tests/corpus_${name} ${rounds} ${examples})
endforeach()
list(TRANSFORM reader_tests PREPEND asan. OUTPUT_VARIABLE reading)
list(TRANSFORM corpus_programs PREPEND asan. OUTPUT_VARIABLE corpora)
set_tests_properties(readers.build ${reading} ${corpora} PROPERTIES LABELS readers)

set(threaded ${test_names})
list(FILTER threaded INCLUDE REGEX "pool|playing|api|crew|match|record|database$")
# Of these only the tests with "thread" in their names: the others use one, and would take minutes.
set(partly_threaded ${test_names})
list(FILTER partly_threaded INCLUDE REGEX "uct|expectimax|learning|splitting$|measurement|solve|heights|sprt")
tetralab_variant(tsan tsan ${threaded} ${partly_threaded})
foreach(name ${threaded} ${partly_threaded})
  tetralab_variant_test(tsan tsan ${name} ${CMAKE_SOURCE_DIR}/build-tsan/tests/${name})
endforeach()
list(TRANSFORM partly_threaded PREPEND tsan.)
set_tests_properties(${partly_threaded} PROPERTIES
                     ENVIRONMENT "TETRALAB_TEST_FILTER=*thread*"
                     FAIL_REGULAR_EXPRESSION "Running 0 test") # a test was renamed: nothing would be looked at

if(TARGET tetralab)
  tetralab_variant_test(asan asan test_cli ${CMAKE_SOURCE_DIR}/tests/test_cli.sh ${asan}/tetralab ${CMAKE_SOURCE_DIR})
  tetralab_variant(clang clang tetralab)
  tetralab_variant_test(clang clang signature ${CMAKE_SOURCE_DIR}/scripts/compare-signatures
                        $<TARGET_FILE:tetralab> ${CMAKE_SOURCE_DIR}/build-clang/tetralab)

  # 64-bit ARM under qemu-user, where there is a cross compiler; otherwise these tests say that they are skipped.
  set(aarch64 ${CMAKE_SOURCE_DIR}/scripts/aarch64 run ${CMAKE_SOURCE_DIR}/build-aarch64)
  add_test(NAME aarch64.build COMMAND ${CMAKE_SOURCE_DIR}/scripts/aarch64 build
           tetralab test_kernels test_portable test_eigen)
  set_tests_properties(aarch64.build PROPERTIES FIXTURES_SETUP aarch64 LABELS check-all PROCESSORS 2 COST 1000)
  tetralab_variant_test(aarch64 aarch64 signature ${CMAKE_SOURCE_DIR}/scripts/compare-signatures
                        $<TARGET_FILE:tetralab> ${aarch64}/tetralab)
  tetralab_variant_test(aarch64 aarch64 results ${CMAKE_SOURCE_DIR}/scripts/compare-results
                        $<TARGET_FILE:tetralab> ${aarch64}/tetralab)
  foreach(name test_kernels test_portable test_eigen)
    tetralab_variant_test(aarch64 aarch64 ${name} ${aarch64}/tests/${name})
  endforeach()
endif()

tetralab_variant(fuzz fuzz fuzz)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  # The examples to start from, tests/fuzz/NAME/*, are only read: libFuzzer would add to a folder.
  string(REPLACE fuzz_ "" examples ${name})
  file(GLOB seeds CONFIGURE_DEPENDS tests/fuzz/${examples}/*)
  list(JOIN seeds "," seeds)
  if(seeds)
    set(seeds "-seed_inputs=${seeds}")
  endif()
  tetralab_variant_test(fuzz fuzz ${name} ${CMAKE_SOURCE_DIR}/build-fuzz/tests/${name} -runs=20000 -seed=1
                        -max_total_time=4 -timeout=20 -rss_limit_mb=2048 -artifact_prefix=${CMAKE_BINARY_DIR}/${name}- ${seeds})
endforeach()
