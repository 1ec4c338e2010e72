# SPDX-License-Identifier: GPL-3.0-or-later
# What the Python package needs beside its own files: the shared library and its header. pyproject.toml asks for
# this component; nothing else installs it.
set(TETRALAB_LIBRARY "" CACHE FILEPATH "For the Python package: a shared library that is already built")
set(python_library ${TETRALAB_LIBRARY})
if(TETRALAB_LIBRARY)
  add_custom_target(tetralab_shared) # there is nothing to build
else()
  set(python_library $<TARGET_FILE:tetralab_shared>)
endif()
install(FILES ${python_library} DESTINATION tetralab COMPONENT python EXCLUDE_FROM_ALL
        RENAME libtetralab${CMAKE_SHARED_LIBRARY_SUFFIX})
install(FILES include/tetralab.h DESTINATION tetralab COMPONENT python EXCLUDE_FROM_ALL)
