#include "harness/store/description.h"

namespace harness::description {

bool write(const Struct& description, const void* object, Json& json) {
  json = Json::object();
  for (const Field& field : description.fields) {
    if (Json member; field.write(object, member))
      json[field.name] = std::move(member);
    else if (field.presence == Presence::required)
      return false;
  }
  return true;
}

bool read(const Struct& description, const Json& json, void* object) {
  if (!json.is_object()) return false;
  for (const Field& field : description.fields) {
    const auto member = json.find(field.name);
    if (member == json.end() && field.presence == Presence::required) return false;
    if (!field.read(member == json.end() ? nullptr : &*member, object)) return false;
  }
  return true;
}

Json schema(const Struct& description, Json& definitions) {
  if (!definitions.contains(description.name)) {
    Json properties = Json::object(), required = Json::array();
    for (const Field& field : description.fields) {
      Json& property = properties[field.name] = field.schema(definitions);
      property["description"] = field.meaning;
      if (field.presence == Presence::required) required.push_back(field.name);
    }
    Json& definition = definitions[description.name] = {{"description", description.meaning},
                                                        {"type", "object"},
                                                        {"required", std::move(required)},
                                                        {"additionalProperties", false},
                                                        {"properties", std::move(properties)}};
    definition.update(description.rules);
  }
  return {{"$ref", "#/definitions/" + description.name}};
}

}  // namespace harness::description
