# The worker is built from the C library alone: a variant brings its own C++ library.
add_executable(harness-worker harness/worker/worker_main.cpp harness/worker/serve.cpp harness/worker/memory.cpp harness/worker/deny.cpp
                harness/worker/enter.cpp)
target_include_directories(harness-worker PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/labs)
target_compile_options(harness-worker PRIVATE -Wall -Wextra -Wno-missing-field-initializers -fno-exceptions -fno-rtti
                                              -fno-threadsafe-statics)
set_target_properties(harness-worker PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(harness-worker PRIVATE dl)

harness_embed(programs harness-worker ${CMAKE_BINARY_DIR}/harness-worker)
harness_embed(build harness/machine/limits_gpu.cu ${CMAKE_SOURCE_DIR}/harness/machine/limits_gpu.cu)
harness_embedded_library()

add_executable(harness harness/main.cpp)
get_property(modules GLOBAL PROPERTY HARNESS_MODULES)
get_property(self_registering GLOBAL PROPERTY HARNESS_SELF_REGISTERING)
foreach(module ${self_registering})
  target_sources(harness PRIVATE $<TARGET_OBJECTS:${module}>)
endforeach()
target_link_libraries(harness PRIVATE ${modules})
# Benchmarks, built when asked for: ninja -C build benchmarks
find_package(benchmark QUIET)
add_custom_target(benchmarks)
if(benchmark_FOUND)
  file(GLOB_RECURSE benches CONFIGURE_DEPENDS harness/*_bench.cpp reference/*_bench.cpp)
  foreach(file ${benches})
    get_filename_component(name ${file} NAME_WE)
    add_executable(${name} EXCLUDE_FROM_ALL ${file})
    foreach(module ${self_registering})
      target_sources(${name} PRIVATE $<TARGET_OBJECTS:${module}>)
    endforeach()
    target_link_libraries(${name} PRIVATE ${modules} benchmark::benchmark benchmark::benchmark_main)
    add_dependencies(benchmarks ${name})
  endforeach()
endif()

if(HARNESS_STATIC)
  target_link_options(harness PRIVATE -static)
endif()
