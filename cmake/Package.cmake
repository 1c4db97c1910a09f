# cmake --install build --prefix FOLDER, and archives: cpack --config build/CPackConfig.cmake -G TGZ (or DEB). With
# SOURCE_DATE_EPOCH set, the same build gives the same bytes. bin/harness is the same program as in a clone. HARNESS_WHEELS
# names a folder that pip download has filled: its Python packages are then part of the copy.
set(shared lib/harness)
install(PROGRAMS bin/harness DESTINATION ${shared}/bin)
install(DIRECTORY bin/lib DESTINATION ${shared}/bin)
install(TARGETS harness DESTINATION ${shared})
install(DIRECTORY labs configs languages DESTINATION ${shared})
install(DIRECTORY reports DESTINATION ${shared} PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN "*-test.txt" EXCLUDE)
install(DIRECTORY docs DESTINATION ${shared} FILES_MATCHING PATTERN "*.md" PATTERN examples EXCLUDE PATTERN reproduced EXCLUDE)
install(FILES README.md SECURITY.md LICENSE DESTINATION ${shared})
install(CODE [[
  if(DEFINED ENV{HARNESS_WHEELS})
    file(INSTALL "$ENV{HARNESS_WHEELS}/" DESTINATION "${CMAKE_INSTALL_PREFIX}/lib/harness/wheels")
  endif()
  file(TOUCH "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/harness/installed")
  set(bin "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin")
  file(MAKE_DIRECTORY ${bin})
  file(CREATE_LINK ../lib/harness/bin/harness ${bin}/harness SYMBOLIC)
]])

# The manual page and the completions come from the program itself.
set(pages ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${pages}/harness.1 ${pages}/harness ${pages}/_harness ${pages}/harness.fish
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
                   COMMAND harness manual > ${pages}/harness.1
                   COMMAND harness completion bash > ${pages}/harness
                   COMMAND harness completion zsh > ${pages}/_harness
                   COMMAND harness completion fish > ${pages}/harness.fish
                   DEPENDS harness VERBATIM)
add_custom_target(pages ALL DEPENDS ${pages}/harness.1)
install(FILES ${pages}/harness.1 DESTINATION share/man/man1)
install(FILES ${pages}/harness DESTINATION share/bash-completion/completions)
install(FILES ${pages}/_harness DESTINATION share/zsh/vendor-completions)
install(FILES ${pages}/harness.fish DESTINATION share/fish/vendor_completions.d)

# What runs and reports need, from the lists of packages.txt; and a compiler.
file(STRINGS packages.txt lines)
set(needed g++)
foreach(line ${lines})
  if(line MATCHES "^# (.*)")
    set(list ${CMAKE_MATCH_1})
  elseif(list MATCHES "^(run|report)$")
    list(APPEND needed ${line})
  endif()
endforeach()
list(JOIN needed ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ccache, libboost-context-dev, libopenblas-dev")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_PACKAGE_NAME harness)
set(CPACK_PACKAGE_CONTACT "the maintainers of harness <maintainers@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "builds, checks, times and reports the variants of a parallel-programming lab")
set(CPACK_PACKAGE_FILE_NAME harness-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_ARCHIVE_THREADS 1)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
include(CPack)
