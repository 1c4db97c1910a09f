// The worker's buffers: where the bytes of a problem lie while a variant computes on them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/worker/protocol.h"

namespace harness {

double now_ms();

class Memory {
 public:
  const lab_device_ops* device = nullptr;
  void* data[protocol::max_buffers] = {};  // first elements, as the variant gets them
  void* workspace = nullptr;
  const char* error = "";

  bool loaded() const { return count_ > 0; }
  protocol::Outcome load(const protocol::LoadRequest& request, const int* descriptors, int count,
                         double& alloc_ms, double& in_ms);
  /// Allocates the work space, after load().
  protocol::Outcome make_workspace(size_t bytes);
  /// On a device: the output as it was at load.
  protocol::Outcome restore();
  /// On a device: what a call reads gets new values instead of all numbers.
  protocol::Outcome refresh(uint64_t salt);
  /// On a device, just before a call is timed: a few of those values once more.
  protocol::Outcome touch(uint64_t salt);
  /// On a device: an output that is not read gets NaN instead of all numbers.
  protocol::Outcome poison();
  /// On the host: one byte of each cache line, so that the data is in this core's cache.
  void read_all() const;
  /// On the host: nothing was written between the end of the work space and the end of its page.
  bool workspace_is_intact() const;
  /// On a device: of the output, in the order of what is enqueued.
  protocol::Outcome fingerprint(uint64_t& result);
  /// Regions that have a result go there.
  protocol::Outcome fetch(double& out_ms);
  void unload();
  /// The buffer in whose neighbourhood `address` lies, -1 if none; `byte` counts from its first element.
  int locate(const void* address, int64_t& byte) const;

 private:
  struct Region {
    bool is_input = true, is_read = true;
    size_t bytes = 0, offset = 0, data_bytes = 0;
    char* source = nullptr;    // for a device: pristine, read-only
    char* result = nullptr;    // for a device: shared with the harness
    char* address = nullptr;     // what the variant computes on: host or device
    char* reserved = nullptr;  // host: reservation with a guard page at both ends
    size_t reserved_bytes = 0;
  };
  protocol::Outcome map_buffers(const protocol::LoadRequest& request, const int* descriptors, int count);
  protocol::Outcome copy_to_device(double& alloc_ms, double& in_ms);
  protocol::Outcome fail(const char* what);
  protocol::Outcome no_workspace();
  bool asks_for_too_much() const;
  template <class Work>
  protocol::Outcome to_what_is_read(uint64_t salt, Work work);
  bool reserve(Region& region, size_t bytes);
  bool map_shared(Region& region, int fd);
  bool map_private(Region& region);

  protocol::Placement placement_ = protocol::Placement::mapped;
  int element_bytes_ = 4;
  Region region_[protocol::max_buffers];
  int count_ = 0;
  Region workspace_;
  size_t workspace_bytes_ = 0;  // that the variant asks for
  char text_[160] = {};  // the message of no_workspace()
};

}  // namespace harness
