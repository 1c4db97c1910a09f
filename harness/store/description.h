// One description per struct of run.json: each field's name, C++ member and meaning. The writer, the reader and the
// JSON Schema follow from it; reports/generate.py makes the tables of docs/run-json.md and the Python types from the
// schema. The descriptions are in case_fields.cpp and run_fields.cpp.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/dtype.h"
#include "harness/base/enums.h"
#include "harness/base/shared_json.h"
#include "harness/base/status.h"
#include "harness/config/metric_table.h"
#include "harness/kernel/value.h"
#include "harness/store/json_text.h"

namespace harness::description {

using Json = nlohmann::ordered_json;

/// A required field is always written and must be there. An optional one is left out if it has no value: an empty text
/// or list, zero as a whole number, a number that was not measured.
enum class Presence { required, optional };

/// What can be done with a member of one C++ type.
struct Operations {
  bool (*has_value)(const void* member);
  bool (*write)(const void* member, Json& json);  // false: there is no value
  bool (*read)(const Json& json, void* member);   // false: not of this type
  void (*set_absent)(void* member);
  Json (*schema)(Json& definitions);
};

struct Field {
  const char *name, *meaning;
  Presence presence = Presence::required;
  const Operations* operations = nullptr;
  size_t offset = 0;  // of the member in the object
  Json limits;        // JSON Schema beyond the type, such as a minimum
};

struct Struct {
  const char *name, *meaning;
  std::vector<Field> fields;
  const char* rules = "{}";  // JSON Schema for what single fields cannot say
};

/// `describe(Of<Tool>)` returns the description of a Tool. Each struct of run.json has such a function.
template <class T>
using Of = std::type_identity<T>;

/// False if a required field has no value.
bool write(const Struct& description, const void* object, Json& json);
/// False if `json` does not fit.
bool read(const Struct& description, const Json& json, void* object);
/// Adds the struct and those that it uses to `definitions`; returns a reference to it.
Json schema(const Struct& description, Json& definitions);

/// Parts of JSON Schema.
Json of_type(const char* name);
Json count_schema();
Json list_of(Json items);
Json map_of(Json values);
inline const Json no_limits = Json::object();

/// How a C++ type is written, read and described. This one is for structs; the others follow.
template <class T>
struct Type {
  static const Struct& description() {
    static const Struct description = describe(Of<T>{});
    return description;
  }
  static bool write(const T& value, Json& json) { return description::write(description(), &value, json); }
  static bool read(const Json& json, T& value) { return description::read(description(), json, &value); }
  static Json schema(Json& definitions) { return description::schema(description(), definitions); }
};

template <>
struct Type<bool> {
  static bool write(bool value, Json& json) { return json = value, true; }
  static bool read(const Json& json, bool& value) { return json.is_boolean() && (json.get_to(value), true); }
  static Json schema(Json&) { return of_type("boolean"); }
};

/// All whole numbers of run.json are counts.
template <std::integral T>
struct Type<T> {
  static bool write(T value, Json& json) { return json = value, true; }
  static bool read(const Json& json, T& value) {
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<uint64_t>())
                                                : json.is_number_integer() && std::in_range<T>(json.get<int64_t>());
    return fits && (json.get_to(value), true);
  }
  static Json schema(Json&) { return count_schema(); }
};

template <>
struct Type<double> {
  static bool write(double value, Json& json) { return std::isfinite(value) && (json = value, true); }
  static bool read(const Json& json, double& value) { return json.is_number() && (json.get_to(value), true); }
  static Json schema(Json&) { return of_type("number"); }
};

template <>
struct Type<std::string> {
  static bool write(const std::string& value, Json& json) { return json = value, true; }
  static bool read(const Json& json, std::string& value) { return json.is_string() && (json.get_to(value), true); }
  static Json schema(Json&) { return of_type("string"); }
};

/// The value of an axis or parameter.
template <>
struct Type<Value> {
  static bool write(const Value& value, Json& json) {
    return std::visit([&](const auto& v) { return Type<std::decay_t<decltype(v)>>::write(v, json); }, value);
  }
  static bool read(const Json& json, Value& value) {
    if (json.is_number_float()) return Type<double>::read(json, value.emplace<double>());
    if (json.is_number()) return Type<int64_t>::read(json, value.emplace<int64_t>());
    return Type<std::string>::read(json, value.emplace<std::string>());
  }
  static Json schema(Json&);
};

/// An object whose members are not described: the output of a tool, settings of a configuration.
template <>
struct Type<SharedJson> {
  static bool write(const SharedJson& value, Json& json);
  static bool read(const Json& json, SharedJson& value);
  static Json schema(Json&) { return of_type("object"); }
};

/// An enum with a table of its words.
template <class E>
requires requires { Spelling<E>::words; }
struct Type<E> {
  static bool write(E value, Json& json) { return json = to_string(value), true; }
  static bool read(const Json& json, E& value) {
    const auto known = json.is_string() ? parse_enum<E>(json.get_ref<const std::string&>()) : std::nullopt;
    return known && (value = *known, true);
  }
  static Json schema(Json&) { return {{"enum", Spelling<E>::words}}; }
};

template <class T>
struct Type<std::optional<T>> {
  static bool write(const std::optional<T>& value, Json& json) { return value && Type<T>::write(*value, json); }
  static bool read(const Json& json, std::optional<T>& value) { return Type<T>::read(json, value.emplace()); }
  static Json schema(Json& definitions) { return Type<T>::schema(definitions); }
};

template <class T>
struct Type<std::vector<T>> {
  static bool write(const std::vector<T>& values, Json& json) {
    json = Json::array();
    for (const T& value : values)
      if (Json item; Type<T>::write(value, item)) json.push_back(std::move(item));
    return true;
  }
  static bool read(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) return false;
    for (const Json& item : json)
      if (!Type<T>::read(item, values.emplace_back())) return false;
    return true;
  }
  static Json schema(Json& definitions) { return list_of(Type<T>::schema(definitions)); }
};

inline const std::string& to_key(const std::string& name) { return name; }
inline std::string to_key(MetricName name) { return std::string(to_string(name)); }
inline bool from_key(const std::string& key, std::string& name) { return name = key, true; }
inline bool from_key(const std::string& key, MetricName& name) {
  const MetricInfo* known = find_metric(key);
  return known && (name = known->id, true);
}

/// An object with any names, or those of metrics, in their order.
template <class Name, class T>
struct Type<std::vector<std::pair<Name, T>>> {
  static bool write(const std::vector<std::pair<Name, T>>& values, Json& json) {
    json = Json::object();
    for (const auto& [name, value] : values)
      if (Json member; Type<T>::write(value, member)) json[to_key(name)] = std::move(member);
    return true;
  }
  static bool read(const Json& json, std::vector<std::pair<Name, T>>& values) {
    if (!json.is_object()) return false;
    for (const auto& [key, member] : json.items()) {
      auto& [name, value] = values.emplace_back();
      if (!from_key(key, name) || !Type<T>::read(member, value)) return false;
    }
    return true;
  }
  static Json schema(Json& definitions) { return map_of(Type<T>::schema(definitions)); }
};

template <class T, size_t count>
struct Type<std::array<T, count>> {
  static bool write(const std::array<T, count>& values, Json& json) { return json = values, true; }
  static bool read(const Json& json, std::array<T, count>& values) {
    std::vector<T> items;
    if (!Type<std::vector<T>>::read(json, items) || items.size() != count) return false;
    std::copy(items.begin(), items.end(), values.begin());
    return true;
  }
  static Json schema(Json& definitions) {
    Json schema = list_of(Type<T>::schema(definitions));
    schema["minItems"] = count;
    schema["maxItems"] = count;
    return schema;
  }
};

template <class M>
bool has_value(const M& value) {
  if constexpr (std::same_as<M, SharedJson>)
    return value && !value->empty();
  else if constexpr (requires { value.empty(); })
    return !value.empty();
  else if constexpr (std::integral<M>)
    return value != 0;
  else
    return true;
}

template <class M>
constexpr Operations operations = {
    [](const void* member) { return has_value(*static_cast<const M*>(member)); },
    [](const void* member, Json& json) { return Type<M>::write(*static_cast<const M*>(member), json); },
    [](const Json& json, void* member) { return Type<M>::read(json, *static_cast<M*>(member)); },
    [](void* member) {
      if constexpr (std::same_as<M, double>) *static_cast<M*>(member) = std::numeric_limits<double>::quiet_NaN();
    },
    [](Json& definitions) { return Type<M>::schema(definitions); },
};

/// Builds the description of T:
/// `Fields<CheckLine>("CheckLine", "...").required("name", &CheckLine::name, "its name", not_empty)`.
template <class T>
class Fields {
 public:
  Fields(const char* name, const char* meaning) : struct_{name, meaning, {}} {}
  operator Struct() const { return struct_; }

  template <class C, class M>
  Fields& required(const char* name, M C::*member, const char* meaning, const Json& limits = no_limits) {
    return add({name, meaning, Presence::required, &operations<M>, offset(member), limits});
  }
  template <class C, class M>
  Fields& optional(const char* name, M C::*member, const char* meaning, const Json& limits = no_limits) {
    return add({name, meaning, Presence::optional, &operations<M>, offset(member), limits});
  }
  /// A text that follows from other fields. `text` throws if these do not fit together.
  template <std::string (*text)(const T&)>
  Fields& derived(const char* name, const char* meaning) {
    return add({name, meaning, Presence::required, &derived_operations<text>, 0, no_limits});
  }
  Fields& rule(const char* json) {
    struct_.rules = json;
    return *this;
  }

 private:
  template <class C, class M>
  static size_t offset(M C::*member) {
    static const T object{};
    return static_cast<size_t>(reinterpret_cast<const char*>(&(object.*member)) -
                               reinterpret_cast<const char*>(&object));
  }

  template <std::string (*text)(const T&)>
  static constexpr Operations derived_operations = {
      [](const void*) { return true; },
      [](const void* object, Json& json) { return json = text(*static_cast<const T*>(object)), true; },
      [](const Json&, void* object) {
        try {
          return text(*static_cast<const T*>(object)), true;
        } catch (const std::exception&) {
          return false;
        }
      },
      [](void*) {},
      &Type<std::string>::schema,
  };

  Fields& add(Field field) {
    struct_.fields.push_back(std::move(field));
    return *this;
  }

  Struct struct_;
};

inline const Json not_empty = {{"minLength", 1}};
inline const Json at_least_0 = {{"minimum", 0}};
inline const Json at_least_1 = {{"minimum", 1}};
inline const Json above_0 = {{"exclusiveMinimum", 0}};
inline Json one_of(std::vector<std::string> words) { return {{"enum", std::move(words)}}; }
inline Json pattern(const char* expression) { return {{"pattern", expression}}; }

}  // namespace harness::description
