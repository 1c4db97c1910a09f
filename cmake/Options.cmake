set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# What computes (checks, references, probes) asks for more; the rest waits for processes and files, and compiles twice as fast.
# Assertions stay on.
set(CMAKE_CXX_FLAGS_RELEASE "-O1")

option(HARNESS_WERROR "warnings are errors" OFF)
option(HARNESS_STATIC "link everything statically, libc too" ON)
# Compiles six files of a module as one, which parses their headers once: a third less time. The dev preset does without, so
# that each file includes what it uses.
option(HARNESS_UNITY "compile several files of a module together" OFF)
set(HARNESS_SANITIZE "" CACHE STRING "for example address,undefined")

find_program(CCACHE ccache)
if(CCACHE)
  # Without the first two ccache caches nothing that uses a precompiled header; no source uses __DATE__ or __TIME__. With the
  # third a build in another language compiles nothing again.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,locale ${CCACHE})
endif()
find_program(MOLD mold)

add_library(harness_options INTERFACE)
target_compile_options(harness_options INTERFACE -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 reports wrong bounds inside std::string when <string> is in a precompiled header.
  target_compile_options(harness_options INTERFACE -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow -Wno-restrict)
endif()
if(HARNESS_WERROR)
  target_compile_options(harness_options INTERFACE -Werror)
endif()
target_include_directories(harness_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/labs)
if(HARNESS_SANITIZE)
  set(HARNESS_STATIC OFF)
  target_compile_options(harness_options INTERFACE -g1 -fsanitize=${HARNESS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(harness_options INTERFACE -fsanitize=${HARNESS_SANITIZE})
endif()
