# What `cmake --install` lays down, and of it the packages that `scripts/package` makes: loci_VERSION_ARCH.deb, the same files as
# loci-VERSION-linux-MACHINE.tar.gz, and the debug symbols apart. The same files wherever they come from.

# The manual and the news, compressed as Debian's packages have them, and always to the same bytes.
function(loci_compressed output input)
  add_custom_command(OUTPUT ${output} COMMAND gzip -9n -c ${input} > ${output} DEPENDS ${input} VERBATIM)
endfunction()

# The terms of everything that is linked into the program, in the words of the packages that it came from.
set(LOCI_LINKED_PACKAGES libcli11-dev libcmark-gfm-dev libfmt-dev libminizip-dev libpcre2-dev libspdlog-dev libsqlite3-dev libssl-dev
    libstdc++-12-dev libstemmer-dev libtomlplusplus-dev libutf8proc-dev libxxhash-dev libyaml-dev nlohmann-json3-dev zlib1g-dev)

set(packaging ${CMAKE_CURRENT_LIST_DIR}/../packaging)
set(made ${CMAKE_BINARY_DIR}/packaging)
file(MAKE_DIRECTORY ${made})
loci_compressed(${made}/loci.1.gz ${CMAKE_SOURCE_DIR}/docs/loci.1)
loci_compressed(${made}/NEWS.gz ${CMAKE_SOURCE_DIR}/NEWS.md)
add_custom_command(
  OUTPUT ${made}/third-party
  COMMAND ${packaging}/third-party.sh ${CMAKE_SOURCE_DIR} ${LOCI_LINKED_PACKAGES} > ${made}/third-party
  DEPENDS ${packaging}/third-party.sh ${packaging}/BSL-1.0
  VERBATIM)
loci_compressed(${made}/third-party.gz ${made}/third-party)
# Whoever makes the package, as Debian's own tools ask for it.
set(LOCI_PACKAGER "the loci authors <loci@localhost>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(LOCI_PACKAGER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${packaging}/changelog.in ${made}/changelog @ONLY)
loci_compressed(${made}/changelog.gz ${made}/changelog)
# systemd finds a program without a path in /usr/local/bin and /usr/bin.
file(READ ${CMAKE_SOURCE_DIR}/systemd/loci@.service unit)
string(REPLACE "@LOCI@" "loci" unit "${unit}")
string(REPLACE "# Installed and started by `loci service install`.\n" "# `loci service install` starts it, with what the system can do to confine it.\n" unit "${unit}")
file(WRITE ${made}/loci@.service "${unit}")
add_custom_target(loci_packaging ALL DEPENDS ${made}/loci.1.gz ${made}/NEWS.gz ${made}/changelog.gz ${made}/third-party.gz)

install(TARGETS loci)
install(FILES ${made}/loci.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${packaging}/copyright ${made}/third-party.gz ${made}/NEWS.gz ${made}/changelog.gz ${CMAKE_SOURCE_DIR}/docs/guide.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${made}/loci@.service DESTINATION lib/systemd/user)
install(FILES ${CMAKE_SOURCE_DIR}/docs/completion/loci.bash DESTINATION share/bash-completion/completions RENAME loci)
install(FILES ${CMAKE_SOURCE_DIR}/docs/completion/_loci DESTINATION share/zsh/vendor-completions)
install(FILES ${CMAKE_SOURCE_DIR}/docs/completion/loci.fish DESTINATION share/fish/vendor_completions.d)

set(CPACK_PACKAGE_NAME loci)
set(CPACK_PACKAGE_VENDOR "the loci authors")
set(CPACK_PACKAGE_CONTACT "${LOCI_PACKAGER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "memory for AI agents, kept as markdown that a person edits")
set(CPACK_PACKAGE_DESCRIPTION
    "A daemon watches a folder of markdown, keeps a search index of it that can be\nthrown away at any time, answers in milliseconds what an agent should remember,\nand folds the daily stream into durable facts.\n.\nPeople edit the files with any editor and sync them with git; agents are\nconnected by one command, over hooks and the Model Context Protocol.")
set(CPACK_GENERATOR DEB TGZ)
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_SYSTEM_NAME)  # in the name of the tar.gz
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${packaging}/project_config.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${packaging}/mend_packages.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded when they are needed: to talk to a model, to tell systemd that the daemon is ready, to ask what git did.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, git, libcurl4, libsystemd0")
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
