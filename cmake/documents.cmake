# SPDX-License-Identifier: GPL-3.0-or-later
# The documents that are installed. They lead to each other; the sources are not installed, so that links to these
# become plain names, and the header is where it was installed.
install(FILES LICENSE ARCHITECTURE.md RESULTS.md CHANGELOG.md CONTRIBUTING.md CITATION.cff cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY results DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.svg")
if(EXISTS "${CMAKE_SOURCE_DIR}/README.md")
  install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
file(RELATIVE_PATH header_from_docs "${CMAKE_INSTALL_FULL_DOCDIR}/docs" "${CMAKE_INSTALL_FULL_INCLUDEDIR}/tetralab.h")
install(CODE "set(documents \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
set(header \"${header_from_docs}\")")
install(CODE [[
file(GLOB_RECURSE pages "${documents}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  string(REGEX REPLACE "\\[([^]\n]*)\\]\\((\\.\\./)*(src|tests)/[^)\n]*\\)" "\\1" plain "${text}")
  string(REPLACE "(../include/tetralab.h)" "(${header})" plain "${plain}")
  if(NOT plain STREQUAL text)
    file(WRITE "${page}" "${plain}")
  endif()
endforeach()
]])
