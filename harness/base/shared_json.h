// A JSON value for headers: including the JSON library itself costs each file half a second of compile time.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace harness {

/// Null: no value. It never changes, so that copies can share it.
using SharedJson = std::shared_ptr<const nlohmann::json>;

}  // namespace harness
