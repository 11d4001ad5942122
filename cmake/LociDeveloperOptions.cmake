# Everything a developer may switch, in one place. The presets set these.
option(LOCI_WARNINGS_AS_ERRORS "fail the build on a warning" ON)
option(LOCI_PRECOMPILED_HEADERS "read the standard library and GoogleTest once, not in every file" ON)
option(LOCI_UNITY_BUILD "compile several sources of a folder as one: quicker from nothing, slower after a change of one" OFF)
option(LOCI_BENCHMARKS "build bench/" OFF)
option(LOCI_FUZZERS "build tests/fuzz with libFuzzer (needs clang)" OFF)
set(LOCI_SANITIZE "" CACHE STRING "sanitizers to build with, as for -fsanitize=")

add_library(loci_options INTERFACE)
# Of sources that are compiled together, one's own names are not hidden by another's local ones, and its types are still its own.
target_compile_options(loci_options INTERFACE -Wall -Wextra $<IF:$<BOOL:${LOCI_UNITY_BUILD}>,-Wshadow=local,-Wshadow> -Wconversion
  $<$<BOOL:${LOCI_WARNINGS_AS_ERRORS}>:-Werror> $<$<BOOL:${LOCI_UNITY_BUILD}>:-Wno-subobject-linkage>)
# What g++ 12 guesses of values that move between functions at -O2 is often wrong: it is shown, and fails no build.
target_compile_options(loci_options INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds;-Wno-error=maybe-uninitialized;-Wno-error=stringop-overflow;-Wno-error=stringop-overread;-Wno-error=restrict;-Wno-error=dangling-pointer>")
target_include_directories(loci_options INTERFACE ${CMAKE_SOURCE_DIR})
if(LOCI_SANITIZE)
  target_compile_options(loci_options INTERFACE -fsanitize=${LOCI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(loci_options INTERFACE -fsanitize=${LOCI_SANITIZE})
endif()
if(LOCI_FUZZERS)
  # Coverage of our own code, which is what guides the fuzzer. The fuzzer itself is linked into its targets only.
  target_compile_options(loci_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(LOCI_CCACHE ccache)
if(LOCI_CCACHE)
  # What ccache asks for before it caches a file that reads a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${LOCI_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()
find_program(LOCI_MOLD mold)
if(LOCI_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
