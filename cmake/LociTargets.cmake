# loci_find_library(VARIABLE NAME): a C library that goes into the program where the package has an archive of it. Every shared
# library costs each command half a millisecond or more before main; a search takes ten in all.
function(loci_find_library variable name)
  find_library(${variable} NAMES lib${name}.a ${name} REQUIRED)
endfunction()

# loci_precompile(NAME HEADERS <a> ... LIBRARIES ... OPTIONS -O0 ...)
# Headers that are compiled once for all targets that call loci_reads_precompiled(TARGET NAME), which need the same OPTIONS. Only of
# other projects: one of ours would have everything built again at every change. A file still includes what it uses; the debug
# preset builds without and shows what is missing.
function(loci_precompile name)
  cmake_parse_arguments(arg "" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
  if(NOT LOCI_PRECOMPILED_HEADERS)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Only carries a precompiled header.\n")
  add_library(loci_${name} OBJECT ${source})
  target_compile_options(loci_${name} PRIVATE ${arg_OPTIONS} -fpch-preprocess)
  target_link_libraries(loci_${name} PRIVATE loci_options ${arg_LIBRARIES})
  target_precompile_headers(loci_${name} PRIVATE ${arg_HEADERS})
endfunction()

function(loci_reads_precompiled target name)
  if(LOCI_PRECOMPILED_HEADERS)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    target_precompile_headers(${target} REUSE_FROM loci_${name})
  endif()
endfunction()

# loci_compile_together(TARGET ALONE a.cpp ...)
# With LOCI_UNITY_BUILD eight sources of the target at a time are one file to the compiler: what they have in common is read, and
# instantiated, once. Their unnamed namespaces are then one, too, so of two sources that have a name of their own in common one is
# ALONE (tests/structure says which).
function(loci_compile_together target)
  cmake_parse_arguments(arg "" "" "ALONE" ${ARGN})
  if(LOCI_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# loci_library(NAME SOURCES a.cpp ... ALONE b.cpp ... FOLDERS base ... LIBRARIES ${LOCI_X} ...)
# One folder is one static library loci_NAME. ALONE are sources, too, that are never compiled together with others. FOLDERS are other
# folders, LIBRARIES are packages; packages stay private, so that their headers cannot leak out of the one .cpp that needs them.
function(loci_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;ALONE;FOLDERS;LIBRARIES" ${ARGN})
  add_library(loci_${name} STATIC ${arg_SOURCES} ${arg_ALONE})
  loci_compile_together(loci_${name} ALONE ${arg_ALONE})
  list(TRANSFORM arg_FOLDERS PREPEND loci_)
  target_link_libraries(loci_${name} PUBLIC loci_options ${arg_FOLDERS} PRIVATE ${arg_LIBRARIES})
  loci_reads_precompiled(loci_${name} standard_headers)
endfunction()

# loci_test(FOLDER SOURCES a_test.cpp ... ALONE b_test.cpp ... FOLDERS base ... LIBRARIES ...)
# One test program a folder; every TEST in it is a test of ctest's.
function(loci_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;ALONE;FOLDERS;LIBRARIES" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES} ${arg_ALONE})
  loci_compile_together(${name}_test ALONE ${arg_ALONE})
  list(TRANSFORM arg_FOLDERS PREPEND loci_)
  target_link_libraries(${name}_test PRIVATE loci_options ${arg_FOLDERS} ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE ${LOCI_TEST_OPTIONS})
  loci_reads_precompiled(${name}_test test_headers)
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
endfunction()

# The tests of this folder begin before all others: most of their time they wait, for a save to be at rest or for a browser, and the
# many short ones run beside them. Call it when they are all there.
function(loci_tests_begin_first)
  get_property(tests DIRECTORY PROPERTY TESTS)
  if(tests)
    set_property(TEST ${tests} PROPERTY COST 100)
  endif()
endfunction()
