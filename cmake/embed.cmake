# SPDX-License-Identifier: GPL-3.0-or-later
# Writes JSON files of reproductions/ as one C file that defines a table of DefinitionText:
# cmake -Dfiles="A.json;B.json" -Dtable=NAME -Dout=FILE.c -P embed.cmake
set(texts "// Made from reproductions/ by cmake/embed.cmake.\n#include \"reproduce/publications.h\"\n\n")
set(lines "const DefinitionText ${table}[] = {\n")
list(SORT files COMPARE NATURAL)
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WLE)
  string(MAKE_C_IDENTIFIER "text_${name}" identifier)
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const char ${identifier}[] = {${bytes}0};\n")
  string(APPEND lines "    {\"${name}\", ${identifier}, ${length}},\n")
endforeach()
file(WRITE "${out}" "${texts}\n${lines}    {0, 0, 0}};\n")
