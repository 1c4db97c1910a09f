// Cases that the store knows from earlier runs.
#pragma once

#include "harness/engine/cases.h"
#include "harness/store/store.h"

namespace harness {

/// Fills in build key and run key of each case, and takes over the record of a case with the same run key.
Done find_known_cases(const PlacedLab& lab, Store& store, Cases& cases);

}  // namespace harness
