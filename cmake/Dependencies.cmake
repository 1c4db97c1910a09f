# All from the distribution; apt names in packages.txt.
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)  # its headers; harness/base/fmt.cpp compiles the rest

# The static archives where there are any: the program is copied to machines that have none of these packages.
find_library(YAML_CPP_LIBRARY NAMES libyaml-cpp.a yaml-cpp REQUIRED)
find_library(SQLITE3_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
find_library(MD_LIBRARY NAMES libmd.a md REQUIRED)
find_library(UTF8PROC_LIBRARY NAMES libutf8proc.a utf8proc REQUIRED)

add_library(third_party INTERFACE)
target_link_libraries(third_party INTERFACE ${YAML_CPP_LIBRARY} ${SQLITE3_LIBRARY} ${MD_LIBRARY}
                      ${UTF8PROC_LIBRARY} nlohmann_json::nlohmann_json Threads::Threads)
