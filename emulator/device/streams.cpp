#include "emulator/device/streams.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include "emulator/device/device.h"
#include "emulator/device/diagnostics.h"

using namespace lab::emulated;

struct lab_stream {
  unsigned flags = 0;
  Seen seen = {};
};
struct lab_event {
  std::chrono::steady_clock::time_point time = {};
  bool recorded = false;
  Seen seen = {};
};

namespace lab::emulated {
namespace {

/// The last work of a stream.
struct Work {
  uint64_t count = 0;
  std::string what;
  uint64_t code = 0;
};

lab_stream legacy;
std::set<lab_stream*> streams;  // those that exist
std::set<lab_event*> existing_events;
std::map<const lab_stream*, Work> work;
Seen host;

void join(Seen& to, const Seen& from) {
  for (const auto& [stream, count] : from) to[stream] = std::max(to[stream], count);
}

}  // namespace

cudaError_t check_stream(cudaStream_t stream, const void* caller) {
  if (!stream || streams.contains(stream)) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "this stream was never created, or is destroyed", caller);
}

void enqueue(cudaStream_t given, const char* what, const void* return_address) {
  lab_stream* const stream = given ? given : &legacy;
  // Work on the legacy default stream waits for that of all streams which are not cudaStreamNonBlocking, and
  // theirs waits for it.
  const auto with_all_blocking = [&](auto f) {
    for (lab_stream* other : streams)
      if (!(other->flags & cudaStreamNonBlocking)) f(*other);
  };
  if (!given) with_all_blocking([](lab_stream& other) { join(legacy.seen, other.seen); });
  Work& last = work[stream];
  last = {last.count + 1, what, return_address ? code_offset(return_address) - 1 : 0};
  join(stream->seen, host);
  stream->seen[stream] = last.count;
  if (!given) with_all_blocking([](lab_stream& other) { join(other.seen, legacy.seen); });
}

void host_waits(cudaStream_t stream) { join(host, stream ? stream->seen : legacy.seen); }
void host_waits_for_all() {
  for (const auto& [stream, last] : work) host[stream] = last.count;
}

void report_unordered_work(cudaStream_t stream) {
  Seen seen = host;
  join(seen, stream->seen);
  for (const auto& [other, last] : work) {
    if (last.count <= seen[other]) continue;
    lab_diagnostic f = {};
    f.kind = lab_side_stream;
    f.count = 1;
    f.origin.code = last.code;
    Diagnostics::get().add(f, last.what.c_str());
  }
  host_waits_for_all();
}

namespace {

cudaError_t make_stream(cudaStream_t* out, unsigned flags) {
  if (!out) return set_error(cudaErrorInvalidValue);
  *out = new lab_stream{flags};
  streams.insert(*out);
  return cudaSuccess;
}

cudaError_t check_event(cudaEvent_t event, const void* caller) {
  if (existing_events.contains(event)) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "this event was never created, or is destroyed", caller);
}

}  // namespace
}  // namespace lab::emulated

// Each function checks for itself: the line in the message is where the program called it.
#define LAB_CHECK(what, given) \
  if (const cudaError_t error = check_##what(given, LAB_CALLER)) return error

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make_stream(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return make_stream(stream, flags); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return make_stream(stream, flags);
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) { return *priority = 0, cudaSuccess; }
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  LAB_CHECK(stream, stream);
  return *flags = stream ? stream->flags : 0, cudaSuccess;
}
// What is recorded of a stream stays: the address is not used again, because it is not freed.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  LAB_CHECK(stream, stream);
  streams.erase(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  LAB_CHECK(stream, stream);
  host_waits(stream);
  return context_error();
}
// A program asks until the answer is yes, so it waits.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  LAB_CHECK(stream, stream);
  return cudaStreamSynchronize(stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  LAB_CHECK(stream, stream);
  LAB_CHECK(event, event);
  join(stream ? stream->seen : legacy.seen, event->seen);
  return context_error();
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call, void* data, unsigned) {
  LAB_CHECK(stream, stream);
  call(stream, context_error(), data);
  return context_error();
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void* data) {
  LAB_CHECK(stream, stream);
  call(data);
  return context_error();
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (!event) return set_error(cudaErrorInvalidValue);
  *event = *existing_events.insert(new lab_event).first;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  LAB_CHECK(stream, stream);
  LAB_CHECK(event, event);
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  event->seen = stream ? stream->seen : legacy.seen;
  return context_error();
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  LAB_CHECK(stream, stream);
  LAB_CHECK(event, event);
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  LAB_CHECK(event, event);
  join(host, event->seen);
  return context_error();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  LAB_CHECK(event, event);
  return cudaEventSynchronize(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  LAB_CHECK(event, event);
  existing_events.erase(event);  // its address is not used again either
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  LAB_CHECK(event, from);
  LAB_CHECK(event, to);
  if (!from->recorded || !to->recorded)
    return refuse(cudaErrorInvalidResourceHandle, "one of the events was never recorded", LAB_CALLER);
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return context_error();
}
cudaError_t cudaDeviceSynchronize() {
  host_waits_for_all();
  return context_error();
}

}  // extern "C"
