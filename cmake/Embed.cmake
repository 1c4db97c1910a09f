# The library `embedded` (harness/base/embedded.h): files that the harness carries inside itself and unpacks when it needs them.
# harness_embed(GROUP NAME FILE): FILE will be unpacked as NAME into the folder of GROUP.
function(harness_embed group name file)
  set_property(GLOBAL APPEND PROPERTY HARNESS_EMBEDDED_ROWS "${group}|${name}|${file}")
endfunction()

# Call it after all harness_embed().
function(harness_embedded_library)
  get_property(rows GLOBAL PROPERTY HARNESS_EMBEDDED_ROWS)
  set(number 0)
  foreach(row ${rows})
    string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.*)$" row ${row})
    list(APPEND files ${CMAKE_MATCH_3})
    string(APPEND assembly "    \"embedded_${number}: .incbin \\\"${CMAKE_MATCH_3}\\\"\\n\"\n"
                           "    \"embedded_${number}_end: .byte 0\\n\"\n")
    string(APPEND declarations "extern \"C\" const char embedded_${number}[], embedded_${number}_end[];\n")
    string(APPEND table "      {\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", between(embedded_${number}, embedded_${number}_end)},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(generated ${CMAKE_BINARY_DIR}/generated/harness/embedded.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[
#include "harness/base/embedded.h"

asm(".section .rodata\n"
@assembly@    ".previous\n");

@declarations@
namespace harness {

const std::vector<EmbeddedFile>& embedded_files() {
  const auto between = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<size_t>(end - begin));
  };
  static const std::vector<EmbeddedFile> all = {
@table@  };
  return all;
}

}  // namespace harness
]])
  add_library(embedded STATIC ${generated})
  target_link_libraries(embedded PUBLIC base)
  set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS "${files}")
endfunction()
