# SPDX-License-Identifier: GPL-3.0-or-later
# One executable per tests/test_NAME.c, one script per tests/test_NAME.sh. A test without a label belongs to
# `make check`; those with the label check-all come with cmake/variants.cmake, or are scripts that need more of the
# machine. TETRALAB_TEST_EFFORT, in the environment, is the share of the usual random cases in percent;
# TETRALAB_TEST_FILTER names the tests of an executable to run (tests/filter.c).
file(GLOB test_sources CONFIGURE_DEPENDS tests/test_*.c)
file(GLOB test_scripts CONFIGURE_DEPENDS tests/test_*.sh)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
if(sanitizers)
  list(FILTER test_scripts EXCLUDE REGEX "/test_(install|package|python|web)\\.sh$") # what is compiled would need them too
endif()
get_filename_component(shared_folder "${TETRALAB_SHARED}" ABSOLUTE)

file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/reproductions" "${CMAKE_BINARY_DIR}/tests/reproductions" SYMBOLIC)
set(test_names)
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  list(APPEND test_names ${name})
  add_executable(${name} ${source} tests/filter.c)
  if(name MATCHES "^test_api")
    target_link_libraries(${name} PRIVATE tetralab_shared PkgConfig::CMOCKA PkgConfig::JANSSON) # as a user's program
  else()
    target_link_libraries(${name} PRIVATE tetralab_tested PkgConfig::CMOCKA)
    target_include_directories(${name} PRIVATE tests)
  endif()
  target_compile_definitions(${name} PRIVATE TETRALAB_SHARED="${shared_folder}"
                             TETRALAB_TESTS="${CMAKE_SOURCE_DIR}/tests")
  if(name STREQUAL test_table) # the programs' own files are no library
    target_sources(${name} PRIVATE src/app/table.c src/app/draw.c)
  endif()
  if(name STREQUAL test_batch)
    target_sources(${name} PRIVATE src/api/batch.c src/api/batch_arrays.c)
  endif()
  if(name STREQUAL test_picture) # reads what was written by the libraries' own readers
    foreach(kind PNG GIF)
      if(${kind}_FOUND)
        target_compile_definitions(${name} PRIVATE TETRALAB_${kind})
        target_link_libraries(${name} PRIVATE PkgConfig::${kind})
      endif()
    endforeach()
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests LINK_DEPENDS_NO_SHARED ON)
  add_test(NAME ${name} COMMAND ${name})
endforeach()

# corpus_NAME: the fuzz target tests/fuzz/fuzz_NAME.c on its examples, without libFuzzer (tests/fuzz/corpus.c).
# readers: these, and the tests of what reads files and stores them.
set(corpus_names)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE fuzz_ "" name ${name})
  list(APPEND corpus_names ${name})
  add_executable(corpus_${name} EXCLUDE_FROM_ALL ${source} tests/fuzz/corpus.c)
  target_link_libraries(corpus_${name} PRIVATE tetralab_tested)
  set_target_properties(corpus_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
endforeach()
set(reader_tests ${test_names})
list(FILTER reader_tests INCLUDE REGEX "test_(database|definition|fields|journal|options|portable|record|request|\
rules|run_folder|score_memory|source|strategy|table|text)$")
list(TRANSFORM corpus_names PREPEND corpus_ OUTPUT_VARIABLE corpus_programs)
add_custom_target(readers DEPENDS ${corpus_programs} ${reader_tests})

# tetralab_script(TEST_NAME SCRIPT PROGRAM ARGUMENT...): a script gets the program and the source folder, then these
function(tetralab_script name script program)
  add_test(NAME ${name} COMMAND ${script} ${program} ${CMAKE_SOURCE_DIR} ${ARGN})
endfunction()
if(TARGET tetralab)
  foreach(name test_api_players test_api_tasks test_tbp) # what the program does is what the library does
    target_compile_definitions(${name} PRIVATE TETRALAB_PROGRAM="$<TARGET_FILE:tetralab>")
    add_dependencies(${name} tetralab)
  endforeach()
  list(FILTER test_scripts EXCLUDE REGEX "/test_docs\\.sh$")
  foreach(script ${test_scripts})
    get_filename_component(name ${script} NAME_WE)
    tetralab_script(${name} ${script} $<TARGET_FILE:tetralab>)
    if(name MATCHES "_(hardening|install|mpi|package|python|resume|tutorial|web)$")
      set_tests_properties(${name} PROPERTIES LABELS check-all)
    endif()
  endforeach()
  # test_docs looks at the texts, docs.NAME runs the commands of one page.
  tetralab_script(test_docs ${CMAKE_SOURCE_DIR}/tests/test_docs.sh $<TARGET_FILE:tetralab> texts)
  file(GLOB pages RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS README.md docs/*.md docs/papers/*.md)
  foreach(page ${pages})
    string(REGEX REPLACE "^docs/|\\.md$" "" name ${page})
    string(REPLACE "/" "-" name ${name})
    tetralab_script(docs.${name} ${CMAKE_SOURCE_DIR}/tests/test_docs.sh $<TARGET_FILE:tetralab> commands ${page})
  endforeach()
  set_tests_properties(test_tutorial PROPERTIES PROCESSORS 2) # it builds the program
  if(TEST test_install)
    set_tests_properties(test_install test_package PROPERTIES RESOURCE_LOCK installed) # both write its list
  endif()
endif()

if(TETRALAB_VARIANTS)
  include(cmake/variants.cmake)
endif()
# The longest first, as far as they are here.
foreach(name test_web test_python test_tutorial test_docs test_learn test_mpi test_cli asan.test_cli asan.test_expectimax asan.test_network)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endforeach()
get_property(all_tests DIRECTORY PROPERTY TESTS)
set(TETRALAB_TEST_SECONDS 600 CACHE STRING "A test that takes longer has failed")
set_tests_properties(${all_tests} PROPERTIES TIMEOUT ${TETRALAB_TEST_SECONDS} SKIP_RETURN_CODE 77)
