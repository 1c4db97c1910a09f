#include "harness/machine/cache_file.h"

#include <nlohmann/json.hpp>

namespace harness {

using nlohmann::json;

json CacheFile::read() const {
  const auto text = path.empty() ? Result<std::string>(std::string()) : read_file(path);
  json file = json::parse(text ? *text : "", nullptr, false);
  const bool ours = file.is_object() && file.value("schema", json()) == schema && file[member].is_object();
  return ours ? file[member] : json::object();
}

Done CacheFile::write(const json& content) const {
  if (path.has_parent_path()) TRY(make_folders(path.parent_path()));
  return write_file(path, json{{"schema", schema}, {member, content}}.dump(1) + "\n");
}

}  // namespace harness
