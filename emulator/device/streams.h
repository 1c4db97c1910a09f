// Which work is ordered with which. All work is done at once, but a program must not rely on that: on a real device
// streams run beside each other until something makes one wait for another.
#pragma once

#include <cstdint>
#include <map>

#include "emulator/device/api.h"

namespace lab::emulated {

/// For each stream: the number of its pieces of work that are known to be done.
using Seen = std::map<const lab_stream*, uint64_t>;

/// Refuses a call at `caller` on a stream that does not exist.
cudaError_t check_stream(cudaStream_t stream, const void* caller);
/// Work is given to a stream: a kernel, or a function at this address. Null is the legacy default stream.
void enqueue(cudaStream_t stream, const char* what, const void* return_address);
/// The host waits for a stream, or for all of them.
void host_waits(cudaStream_t stream);
void host_waits_for_all();
/// Reports work that neither the host nor `stream` has waited for, and forgets it.
void report_unordered_work(cudaStream_t stream);

}  // namespace lab::emulated
