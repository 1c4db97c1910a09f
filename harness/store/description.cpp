#include "harness/store/description.h"

namespace harness::description {

bool write(const Struct& description, const void* object, Json& json) {
  json = Json::object();
  for (const Field& field : description.fields) {
    const void* member = static_cast<const char*>(object) + field.offset;
    const bool wanted = field.presence == Presence::required || field.operations->has_value(member);
    if (Json value; wanted && field.operations->write(member, value))
      json[field.name] = std::move(value);
    else if (field.presence == Presence::required)
      return false;
  }
  return true;
}

bool read(const Struct& description, const Json& json, void* object) {
  if (!json.is_object()) return false;
  for (const Field& field : description.fields) {
    void* member = static_cast<char*>(object) + field.offset;
    const auto value = json.find(field.name);
    if (value == json.end()) {
      if (field.presence == Presence::required) return false;
      field.operations->set_absent(member);
    } else if (!field.operations->read(*value, member)) {
      return false;
    }
  }
  return true;
}

Json schema(const Struct& description, Json& definitions) {
  if (!definitions.contains(description.name)) {
    Json properties = Json::object(), required = Json::array();
    for (const Field& field : description.fields) {
      Json& property = properties[field.name] = field.operations->schema(definitions);
      property.update(field.limits);
      property["description"] = field.meaning;
      if (field.presence == Presence::required) required.push_back(field.name);
    }
    Json& definition = definitions[description.name] = {{"description", description.meaning},
                                                        {"type", "object"},
                                                        {"required", std::move(required)},
                                                        {"additionalProperties", false},
                                                        {"properties", std::move(properties)}};
    definition.update(Json::parse(description.rules));
  }
  return {{"$ref", std::string("#/definitions/") + description.name}};
}

Json of_type(const char* name) { return {{"type", name}}; }
Json count_schema() { return {{"type", "integer"}, {"minimum", 0}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json map_of(Json values) { return {{"type", "object"}, {"additionalProperties", std::move(values)}}; }

Json Type<Value>::schema(Json&) { return {{"type", {"integer", "number", "string"}}}; }

bool Type<SharedJson>::write(const SharedJson& value, Json& json) {
  nlohmann::json kept = value ? *value : nlohmann::json::object();
  drop_unmeasured(kept);
  json = std::move(kept);
  return true;
}

bool Type<SharedJson>::read(const Json& json, SharedJson& value) {
  if (json.is_object()) value = std::make_shared<const nlohmann::json>(json);
  return json.is_object();
}

}  // namespace harness::description
