# SPDX-License-Identifier: GPL-3.0-or-later
# engine.wasm: the library and src/web for WebAssembly. Nothing but the module: what it needs of its host is in
# web/engine.js, a few functions. It has the kernel for SIMD, which every browser has had since 2023.
file(GLOB web_sources CONFIGURE_DEPENDS src/web/*.c)
add_executable(engine ${web_sources} ${core_sources} ${kernel_objects})
target_include_directories(engine PRIVATE src include)
target_compile_options(engine PRIVATE -Oz -include web/missing.h)
target_compile_definitions(engine PRIVATE TETRALAB_VERSION="${PROJECT_VERSION}")
target_link_libraries(engine PRIVATE PkgConfig::JANSSON PkgConfig::GSL m)
target_link_options(engine PRIVATE -Oz --no-entry -sSTANDALONE_WASM=1 -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1
                    -sINITIAL_MEMORY=16MB -sTOTAL_STACK=1MB -sMALLOC=emmalloc -sEXPORTED_FUNCTIONS=_web_room,_web_ask -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0)
set_target_properties(engine PROPERTIES SUFFIX .wasm)
