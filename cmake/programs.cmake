# SPDX-License-Identifier: GPL-3.0-or-later
# The programs: tetralab, and tetralab-mpi for clusters where there is an MPI library. Both are the commands of
# app/ behind a main of their own.
file(GLOB app_sources CONFIGURE_DEPENDS src/app/*.c)
list(FILTER app_sources EXCLUDE REGEX "/main\\.c$")
add_library(tetralab_app OBJECT ${app_sources})
target_link_libraries(tetralab_app PUBLIC tetralab_core)
target_compile_definitions(tetralab_app PUBLIC TETRALAB_VERSION="${PROJECT_VERSION}")
if(NCURSES_FOUND)
  set_source_files_properties(src/app/terminal.c PROPERTIES COMPILE_DEFINITIONS TETRALAB_NCURSES
                              INCLUDE_DIRECTORIES "${NCURSES_INCLUDE_DIRS}")
  target_link_libraries(tetralab_app PUBLIC ${NCURSES_LINK_LIBRARIES}) # its flags are for no other file
endif()

add_executable(tetralab src/app/main.c)
target_link_libraries(tetralab PRIVATE tetralab_app)
install(TARGETS tetralab)
# The page, if 'make web' has built it: 'tetralab serve' finds it there.
install(DIRECTORY "${CMAKE_SOURCE_DIR}/build/web/" DESTINATION ${CMAKE_INSTALL_DATADIR}/tetralab/web OPTIONAL)

option(TETRALAB_MPI "Build tetralab-mpi, if there is an MPI library" ON)
if(TETRALAB_MPI AND NOT TETRALAB_FUZZ)
  set(MPI_C_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS C)
endif()
if(MPI_C_FOUND)
  file(GLOB mpi_sources CONFIGURE_DEPENDS src/mpi/*.c)
  add_executable(tetralab-mpi ${mpi_sources})
  target_link_libraries(tetralab-mpi PRIVATE tetralab_app MPI::MPI_C)
  install(TARGETS tetralab-mpi COMPONENT tetralab-mpi)
elseif(NOT TETRALAB_FUZZ)
  message(STATUS "tetralab-mpi, the program for clusters, is not built: no MPI library was asked for or found "
                 "(scripts/install-packages installs Open MPI).")
endif()
