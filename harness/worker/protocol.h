// The messages between harness and worker on one SOCK_SEQPACKET socket: a request, then its reply. They are plain
// structs, because both ends are built from this file. The harness trusts nothing in a reply: sizes are checked,
// texts are cut. Timed calls of a CPU variant use words in shared memory instead (turns.h), because a socket is slow.
#pragma once

#include <cstdint>

#include "lab/abi.h"
#include "device/probe.h"

namespace harness::protocol {

inline constexpr int max_buffers = 16;
inline constexpr int max_problem_bytes = 1024;
inline constexpr int text_bytes = 512;

enum class Op : uint32_t { open, load, run, take_turns, fetch, unload, probe, diagnostics };

enum class Outcome : uint32_t {
  ok,
  error,  // the worker failed: `text` says why
  out_of_memory,
  exception,     // the variant threw
  unsupported,   // the variant does not support this problem: `text` is its message
  fault,         // a signal: the worker ends after this reply
  device_error,  // `text` is the device's message; the context may be lost
  out_of_bounds,  // the variant wrote past the end of its work space
  exited,         // the variant called exit(): `text` is the status
};

struct OpenRequest {
  Op op = Op::open;
  int32_t device = -1;     // GPU index, -1: CPU variant; its message brings the memory of its turns
  int64_t data_bytes = 0, address_bytes = 0;  // RLIMIT_DATA and RLIMIT_AS of the variant, 0: none
  char object[1024] = {};  // path of the shared object; empty: a variant that does nothing, to measure the rest
  char kernel[64] = {};    // empty: the object is a probe of the device; its calls compute nothing
  char dtype[8] = {};
};

enum class Placement : uint32_t {
  mapped,  // CPU: the shared pages themselves, between inaccessible pages; inputs read-only
  device,  // GPU: device memory, guard bands included
};

/// A buffer is a region of memory: a lead-in, the data, a lead-out, both filled with a pattern.
struct Buffer {
  uint32_t is_input = 1;
  int32_t source_fd = -1;    // position in the message's descriptors: the pristine region, sealed
  int32_t result_fd = -1;    // fetch copies the region there; mapped outputs are in it. -1: inputs, not returned
  uint32_t counted = 1;      // its copy to the device is part of a program's time (inputs, a C that is read)
  int64_t region_bytes = 0;  // multiple of the page size
  int64_t data_offset = 0;   // of the first element in the region
  int64_t data_bytes = 0;
};

struct LoadRequest {
  Op op = Op::load;
  Placement placement = Placement::mapped;
  int32_t buffers = 0;
  int32_t element_bytes = 4;
  Buffer buffer[max_buffers];
  char problem[max_problem_bytes] = {};
};

enum class Cache : uint32_t { hot, cold };

struct RunRequest {
  Op op = Op::run;
  Cache cache = Cache::hot;
  uint32_t restore = 0;  // first copy the pristine output back, outside the timed part
  /// GPU, timed: before the call, all that is read is rewritten (device/refresh.h), from this salt, and a pure output
  /// is poisoned.
  uint32_t refresh = 0;
  uint64_t salt = 0;
};

struct PlainRequest {
  Op op;
};

/// Starts turns (turns.h). The worker replies when they end.
struct TurnsRequest {
  Op op = Op::take_turns;
  uint32_t after = 0;  // value of `wake` before the first turn
};

/// Every reply begins like this.
struct Reply {
  Op op = Op::open;
  Outcome outcome = Outcome::ok;
  char text[text_bytes] = {};
};

struct PlainReply {
  Reply reply;
};

struct OpenReply {
  Reply reply;
  uint32_t has_cpu = 0, has_gpu = 0;
  char about[256] = {};
  lab_device_info device = {};
};

/// The launch configuration of the variant for the problem; zeros: not known.
struct LaunchShape {
  int64_t blocks = 0, threads = 0;  // threads per block
};

struct LoadReply {
  Reply reply;
  double alloc_ms = 0, in_ms = 0;  // GPU: allocation of all buffers, host to device
  LaunchShape launch;
  char choice[128] = {};  // of the variant's library, for this problem
};

struct RunReply {
  Reply reply;
  double call_ms = 0;        // GPU: between two events
  double first_ms = 0;       // GPU: time of the process's first call, with set-up; 0: not the first
  uint64_t fingerprint = 0;  // GPU: of the output right after the call (device/fingerprint.h)
};

struct FetchReply {
  Reply reply;
  double out_ms = 0;  // GPU: device to host, output only
};

struct ProbeReply {
  Reply reply;
  lab_probe_result result = {};
};

struct DiagnosticsReply {
  Reply reply;
  int32_t count = 0;
  int32_t pad = 0;
  lab_diagnostic diagnostic[LAB_MAX_DIAGNOSTICS] = {};  // `count` of them are sent
};

/// Sent by the signal handler instead of the expected reply.
struct FaultReply {
  Reply reply;
  int32_t signal = 0;
  int32_t buffer = -1;  // index of the buffer in or beside which the address lies
  int64_t byte = 0;     // offset of the address from the first element of that buffer
  uint64_t address = 0;
  uint64_t stack = 0;  // the stack pointer; 0: not known
  int32_t cause = 0;  // si_code
  uint64_t code = 0;  // offset of the instruction in the variant's object; 0: not known
};

}  // namespace harness::protocol
