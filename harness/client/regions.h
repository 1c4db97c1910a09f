// The trusted side of a worker's buffers: shared memory with guard bands, inputs sealed against writing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel/kernel.h"
#include "harness/worker/protocol.h"

namespace harness {

/// Where the data lies in its region. `end`: a step past the last element leaves the page; `start`: a step
/// before the first does; `middle`: bands on both sides (device memory, timed runs).
enum class Edge { end, start, middle };

/// Shared memory of one buffer: lead-in band, data, lead-out band. Bands hold NaN for whoever
/// reads them.
class Region {
 public:
  static Result<Region> make(int64_t data_bytes, Edge edge);
  Region(Region&&) noexcept;
  Region& operator=(Region&&) noexcept;
  ~Region();

  std::byte* base() { return base_; }
  std::byte* data() { return base_ + offset_; }
  const std::byte* data() const { return base_ + offset_; }
  int64_t bytes() const { return bytes_; }
  int64_t offset() const { return offset_; }
  int fd() const { return fd_; }
  /// From now on nobody can map it for writing; our own view stays.
  Done seal();
  /// What touched a band: "17 bytes were written after the end of C", or nothing.
  std::optional<std::string> band_damage(const std::string& name) const;

 private:
  Region() = default;
  int fd_ = -1;
  std::byte* base_ = nullptr;
  int64_t bytes_ = 0, offset_ = 0, data_bytes_ = 0;
};

/// Did a few of the fresh data come at the last moment, as on a device?
enum class Touched { no, yes };

/// The drawn data of one problem, shared read-only by all workers that compute it.
class Inputs {
 public:
  static Result<Inputs> draw(ProblemPtr problem, Fill fill, uint64_t seed, Edge edge);
  /// The data of call `call` of a timed batch: what the worker made of it, from the same salt.
  Result<Inputs> refreshed(uint64_t salt, int call, Touched touched) const;
  const Problem& problem() const { return *problem_; }
  ProblemPtr problem_ptr() const { return problem_; }
  Fill fill() const { return fill_; }
  Edge edge() const { return edge_; }
  const std::vector<Region>& regions() const { return regions_; }
  ConstHostBuffers pristine() const;

 private:
  ProblemPtr problem_;
  Fill fill_ = Fill::reals;
  Edge edge_ = Edge::end;
  std::vector<Region> regions_;  // every buffer, the output as it is before the call
};

/// One worker's regions that come back: the output, and for devices the inputs too.
class Returned {
 public:
  static Result<Returned> make(const Inputs& inputs, protocol::Placement placement);
  Region& output() { return *regions_.back(); }
  /// The output as before the call; inputs poisoned.
  void reset(const Inputs& inputs);
  const std::vector<std::optional<Region>>& regions() const { return regions_; }
  /// Bands, padding, inputs: what was written that must not be. "" means nothing.
  struct Damage {
    bool input_modified = false, out_of_bounds = false;
    std::string message;
  };
  Damage damage(const Inputs& inputs) const;

 private:
  std::vector<std::optional<Region>> regions_;
};

}  // namespace harness
