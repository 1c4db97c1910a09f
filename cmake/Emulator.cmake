# The emulated device's runtime, compiled as the build of a variant does (without the sanitizers of the harness: its threads
# have stacks of their own, and it answers signals), and its tests. A kernel that makes a mistake loses the device for good,
# so each test needs a process of its own: run them with ctest.
find_library(BOOST_CONTEXT_LIBRARY NAMES boost_context REQUIRED)

file(GLOB sources CONFIGURE_DEPENDS emulator/device/*.cpp)
set(tests ${sources})
list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

add_library(emulated_runtime STATIC EXCLUDE_FROM_ALL ${sources})
target_compile_options(emulated_runtime PUBLIC -O2 -g1 -Wall -Wextra -Wno-missing-field-initializers
                                               $<$<BOOL:${HARNESS_WERROR}>:-Werror>)
target_compile_definitions(emulated_runtime PUBLIC LAB_EMULATED=1)
target_include_directories(emulated_runtime PUBLIC ${CMAKE_SOURCE_DIR} labs)
target_include_directories(emulated_runtime SYSTEM INTERFACE emulator/device/include)
target_link_libraries(emulated_runtime PUBLIC ${BOOST_CONTEXT_LIBRARY} Threads::Threads)

add_executable(emulated_test ${tests})
target_link_libraries(emulated_test PRIVATE emulated_runtime GTest::gtest_main)
# emulated_tests(PREFIX filter options): the tests that `filter` names, on a device with these LAB_EMULATED_OPTIONS.
function(emulated_tests prefix filter options)
  gtest_discover_tests(emulated_test TEST_PREFIX ${prefix}. TEST_LIST ${prefix}_tests TEST_FILTER ${filter}
                       DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 120 ENVIRONMENT LAB_EMULATED_OPTIONS=${options})
endfunction()
emulated_tests(emulated "-Endless.*" "diagnostics=on")
emulated_tests(emulated.shuffled "Blocks.*:Warp.*:Barrier.*:Pipeline.*" "schedule=random:7")
emulated_tests(emulated.wide "Warp.*" "lanes=64")
emulated_tests(emulated.plain "Blocks.*:Warp.*:Barrier.*:Cublas.*:Cudnn.*:Pipeline.*" "diagnostics=off")
emulated_tests(emulated.short "Endless.*" "kernel_time_s=0.2")

# The rewriter runs in the sandbox, also in images with other libraries: it is static, and never sanitized.
file(GLOB rewriter CONFIGURE_DEPENDS emulator/rewriter/*.cpp)
list(FILTER rewriter EXCLUDE REGEX "(_test|_fuzz|_main)\\.cpp$")
add_executable(harness-rewriter emulator/rewriter/rewriter_main.cpp ${rewriter})
target_include_directories(harness-rewriter PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_options(harness-rewriter PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
target_link_options(harness-rewriter PRIVATE -static -s)

add_executable(rewriter_test emulator/rewriter/rewrite_test.cpp emulator/rewriter/host_code_test.cpp
               emulator/rewriter/names_test.cpp emulator/rewriter/tokens_test.cpp ${rewriter})
target_link_libraries(rewriter_test PRIVATE harness_options GTest::gtest_main)
gtest_discover_tests(rewriter_test TEST_PREFIX rewriter. DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 120)

# Builds of variants need the device's sources and the rewriter at run time.
harness_embed(build emulator/harness-rewriter ${CMAKE_BINARY_DIR}/harness-rewriter)
file(GLOB_RECURSE device CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} emulator/device/*.h emulator/device/*.cpp
                                                                        emulator/device/include/*)
list(FILTER device EXCLUDE REGEX "(_test\\.cpp|/testing\\.h)$")
foreach(file ${device})
  harness_embed(build ${file} ${CMAKE_SOURCE_DIR}/${file})
endforeach()
