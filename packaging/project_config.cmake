# Debian's debug symbols are taken out of the program by the generator itself, so it has to have them still.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_STRIP_FILES OFF)
endif()
