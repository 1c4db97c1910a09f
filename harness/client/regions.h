// The buffers of a worker as the harness sees them: shared memory with guard bands; inputs are sealed against writing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel/kernel.h"
#include "harness/worker/protocol.h"

namespace harness {

/// Where the data lies in its region. `end`: an access past the last element leaves the mapped pages; `start`: an
/// access before the first element does; `middle`: bands on both sides (device memory, timed runs).
enum class Edge { end, start, middle };

/// Shared memory of one buffer: band, data, band. The bands hold secret bits, so that whatever a variant writes there
/// changes some: NaNs with random payloads, and large numbers between them, because arithmetic with a NaN can give the
/// same NaN again.
class Region {
 public:
  static Result<Region> make(int64_t data_bytes, Edge edge, uint64_t band_key);
  Region(Region&&) noexcept;
  Region& operator=(Region&&) noexcept;
  ~Region();

  std::byte* data() { return base_ + offset_; }
  const std::byte* data() const { return base_ + offset_; }
  int64_t bytes() const { return bytes_; }
  int64_t offset() const { return offset_; }
  uint64_t band_key() const { return band_key_; }
  int fd() const { return fd_; }
  /// From now on no process can map the region for writing; the harness's own mapping stays.
  Done seal();
  /// Describes writes into a band: "17 bytes were written after the end of C", or nothing.
  std::optional<std::string> band_damage(const std::string& name) const;

 private:
  Region() = default;
  int fd_ = -1;
  std::byte* base_ = nullptr;
  int64_t bytes_ = 0, offset_ = 0, data_bytes_ = 0;
  uint64_t band_key_ = 0;
};

/// The cache lines of a buffer that hold data, in order. Lines between two rows may hold padding alone.
class DataLines {
 public:
  DataLines(const BufferSpec& spec, Dtype dtype);
  size_t count() const { return rows_ * per_row_; }
  /// Their size. It may say too much for narrow rows, never too little.
  size_t bytes() const;
  /// Where line `i` begins. Where a row ends in the middle of a line, the next number may name the same line again.
  size_t at(size_t i) const;

 private:
  size_t rows_ = 0, per_row_ = 0, row_bytes_ = 0;
  size_t distance_ = 0;  // between the beginnings of two rows, in bytes
};

/// The drawn data of one problem, shared read-only by all workers that compute it.
class Inputs {
 public:
  static Result<Inputs> draw(ProblemPtr problem, Fill fill, uint64_t seed, Edge edge);
  /// Draws new data into the same memory, where the workers see it.
  void redraw(uint64_t seed);
  /// The same, but lines of data of the smallest input, of up to so many bytes together, keep the data of the previous call until
  /// they are shown.
  void redraw_partly(uint64_t seed, size_t hidden_bytes);
  /// The same in three steps: draws the data where no worker sees them, and copies them to the workers, which is faster.
  void draw_hidden(uint64_t seed);
  void show_outputs();
  /// All inputs but the smallest, or the smallest alone. It comes last: it takes the least time, and without it nothing can be
  /// computed. Cache lines come in random order, so that hardly any row is complete before the end.
  enum class Show { larger_inputs, smallest_input };
  enum class CopyTo { caches, memory };
  void show(Show which, CopyTo to);
  /// Which of the buffers it is. Padding does not count.
  size_t smallest_input() const;
  /// The data of a timed call on a device, drawn from `salt` in the same way as there.
  Result<Inputs> refreshed(uint64_t salt) const;
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
  std::vector<Region> regions_;  // all buffers; the output in its state before the call
  std::vector<std::vector<std::byte>> hidden_;  // the next data of each
  struct CacheLine {
    size_t region, at;
  };
  std::vector<CacheLine> larger_, smallest_;  // lines of the inputs, in the order in which they are copied
};

/// The regions that one worker returns: the output, and on devices the inputs too.
class ReturnedRegions {
 public:
  static Result<ReturnedRegions> make(const Inputs& inputs, protocol::Placement placement);
  Region& output() { return *regions_.back(); }
  /// Resets the output to its state before the call and poisons the inputs.
  void reset(const Inputs& inputs);
  const std::vector<std::optional<Region>>& regions() const { return regions_; }
  /// Forbidden writes to bands, padding or inputs. An empty message means none.
  struct Damage {
    bool input_modified = false, out_of_bounds = false;
    std::string message;
  };
  Damage damage(const Inputs& inputs) const;

 private:
  std::vector<std::optional<Region>> regions_;
};

}  // namespace harness
