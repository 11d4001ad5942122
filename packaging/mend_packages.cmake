# Run by CPack when a generator has made its packages.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  if(package MATCHES "\\.ddeb$")
    execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/names-in-md5sums.sh ${package} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
