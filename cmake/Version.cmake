# The library `version` (harness/base/version.h). Included, it defines the library; run with `cmake -P` at every
# build, it writes the library's only file when, and only when, the commit or its dirty flag has changed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  find_package(Git QUIET)
  set(version_file ${CMAKE_BINARY_DIR}/generated/harness/version.cpp)
  add_custom_target(version_file
                    COMMAND ${CMAKE_COMMAND} -D GIT=${GIT_EXECUTABLE} -D SOURCE=${CMAKE_SOURCE_DIR}
                            -D VERSION=${PROJECT_VERSION} -D OUTPUT=${version_file} -P ${CMAKE_CURRENT_LIST_FILE}
                    BYPRODUCTS ${version_file}
                    COMMENT "Reading the commit" VERBATIM)
  add_library(version STATIC ${version_file})
  target_link_libraries(version PUBLIC harness_options)
  add_dependencies(version version_file)
  return()
endif()

set(commit unknown)
set(dirty false)
# Asked only where this folder is itself a checkout: a source archive unpacked inside another repository is not it.
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} status --porcelain=v2 --branch --untracked-files=no
                  OUTPUT_VARIABLE status RESULT_VARIABLE result ERROR_QUIET)
  if(result EQUAL 0 AND status MATCHES "# branch\\.oid ([0-9a-f]+)\n")
    set(commit ${CMAKE_MATCH_1})
    if(status MATCHES "(^|\n)[12u] ")
      set(dirty true)
    endif()
  endif()
endif()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "harness/base/version.h"

namespace harness {

const Version& version() {
  static constexpr Version kVersion{"@VERSION@", "@commit@", @dirty@};
  return kVersion;
}

}  // namespace harness
]])
