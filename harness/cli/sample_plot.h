// Samples as a few lines of text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/measure/statistics.h"

namespace harness {

/// Two pictures: the times in the order in which they were taken, one column per sample (the slowest one of neighbours if
/// there are more samples than columns), and how often each time came, with the interval below.
std::string sample_plot(std::span<const double> samples_ms, const Summary& summary, int columns = 60);

}  // namespace harness
