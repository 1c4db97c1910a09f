// Times of runs: milliseconds since 1970, UTC.
#pragma once

#include <cstdint>
#include <string>

namespace harness {

int64_t now_ms();
std::string iso_time(int64_t ms);       // "2026-11-21T09:15:00Z"
std::string readable_time(int64_t ms);  // "2026-11-21 09:15:00 UTC"
/// "20261121-091500-3f2a": sorts by time; the random end distinguishes runs of the same second.
std::string new_run_id(int64_t ms);

}  // namespace harness
