# SPDX-License-Identifier: GPL-3.0-or-later
# `make deb`: Debian packages. tetralab has everything but the program for clusters, which would bring Open MPI
# to every machine: that is a package of its own.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Tetralab")
set(CPACK_PACKAGE_CONTACT "The Tetralab developers <tetralab@localhost>")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL tetralab)
if(TARGET tetralab-mpi)
  list(APPEND CPACK_COMPONENTS_ALL tetralab-mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_COMPONENT_TETRALAB_DESCRIPTION "Plays, measures, compares and learns artificial Tetris players under the
published variants of the rules: how many lines a player makes, with an
honest interval, in seconds instead of weeks. With a library for C.")
set(CPACK_COMPONENT_TETRALAB-MPI_DESCRIPTION "The program tetralab-mpi: the commands of tetralab as one program of many
processes, which learn a player together.")
set(CPACK_DEBIAN_TETRALAB_PACKAGE_NAME tetralab)
set(CPACK_DEBIAN_TETRALAB_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot")
set(CPACK_DEBIAN_TETRALAB-MPI_PACKAGE_NAME tetralab-mpi)
set(CPACK_DEBIAN_TETRALAB-MPI_PACKAGE_DEPENDS "tetralab (= ${PROJECT_VERSION})")
include(CPack)
