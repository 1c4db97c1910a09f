// The table of a lab's YAML file: every key with its values, meaning and default.
#pragma once

#include "harness/config/schema.h"

namespace harness {

const schema::Schema& config_table();
/// The part below `grade`.
schema::Schema grade_table();

}  // namespace harness
