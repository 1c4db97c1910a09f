// The table of a lab's YAML file: every key, what it may hold, what it means, and what holds without it.
#pragma once

#include "harness/config/schema.h"

namespace harness {

const schema::Schema& config_table();

}  // namespace harness
