#include "harness/client/regions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/check/check.h"
#include "harness/client/flush.h"
#include "device/refresh_host.h"

namespace harness {
namespace {

constexpr int64_t page = 4096;
constexpr int64_t grain_bytes = 1 << 20;
constexpr int64_t alignment = 64;  // promised to CPU variants; devices align further

// Four words in eight are NaN as f32 and as the upper half of an f64, the others are about 1e30 or, in an f64, 1e237.
uint32_t band_word(uint64_t key, int64_t i) {
  constexpr uint32_t nan = 0x7ff80000, large = 0x71480000, random = 0x8007ffff;
  return (i & 4 ? nan : large) | (static_cast<uint32_t>(random_bits(key, static_cast<uint64_t>(i))) & random);
}

std::byte band_byte(uint64_t key, int64_t at) {
  return std::byte{static_cast<unsigned char>(band_word(key, at / 4) >> (at % 4 * 8))};
}

void fill_band(std::byte* base, int64_t from, int64_t to, uint64_t key) {
  for (int64_t at = from; at < to; ++at) base[at] = band_byte(key, at);
}

int64_t band_damaged(const std::byte* base, int64_t from, int64_t to, uint64_t key) {
  int64_t damaged = 0;
  for (int64_t at = from; at < to; ++at) damaged += base[at] != band_byte(key, at);
  return damaged;
}

bool same(const std::byte* a, const std::byte* b, int64_t bytes) {
  std::atomic<bool> all = true;
  parallel_for(bytes, grain_bytes, [&](int64_t begin, int64_t end) {
    if (std::memcmp(a + begin, b + begin, static_cast<size_t>(end - begin)) != 0) all = false;
  });
  return all;
}

int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

Result<Region> Region::make(int64_t data_bytes, Edge edge, uint64_t band_key) {
  Region r;
  r.band_key_ = band_key;
  r.data_bytes_ = data_bytes;
  if (edge == Edge::middle) {
    r.offset_ = page;
    r.bytes_ = round_up(data_bytes, page) + 2 * page;
  } else {
    r.bytes_ = std::max(page, round_up(data_bytes, page));
    r.offset_ = edge == Edge::start ? 0 : (r.bytes_ - data_bytes) / alignment * alignment;
  }
  const auto failed = [&](const char* what) {
    return Error{fmt::format("cannot {} {} of shared memory: {}", what, human_bytes(static_cast<double>(r.bytes_)),
                             std::strerror(errno)),
                 ExitCode::machine};
  };
  r.fd_ = memfd_create("lab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (r.fd_ < 0 || ftruncate(r.fd_, r.bytes_) != 0) return failed("get");
  // If a variant could make it shorter, the harness would crash when it reads the rest.
  if (fcntl(r.fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) return failed("seal");
  void* p = mmap(nullptr, static_cast<size_t>(r.bytes_), PROT_READ | PROT_WRITE, MAP_SHARED, r.fd_, 0);
  if (p == MAP_FAILED) return failed("map");
  r.base_ = static_cast<std::byte*>(p);
  const int64_t after = r.offset_ + data_bytes;
  madvise(p, static_cast<size_t>(r.bytes_), MADV_HUGEPAGE);  // where the system offers them for shared memory
  fill_band(r.base_, 0, r.offset_, r.band_key_);
  fill_band(r.base_, after, r.bytes_, r.band_key_);
  return r;
}

Region::Region(Region&& other) noexcept { *this = std::move(other); }
Region& Region::operator=(Region&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(offset_, other.offset_);
  std::swap(data_bytes_, other.data_bytes_);
  std::swap(band_key_, other.band_key_);
  return *this;
}
Region::~Region() {
  if (base_) munmap(base_, static_cast<size_t>(bytes_));
  if (fd_ >= 0) close(fd_);
}

Done Region::seal() {
  if (fcntl(fd_, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0) return ok();
  return Error{fmt::format("cannot seal shared memory: {}; this needs Linux 5.1", std::strerror(errno)),
               ExitCode::machine};
}

std::optional<std::string> Region::band_damage(const std::string& name) const {
  const int64_t before = band_damaged(base_, 0, offset_, band_key_);
  const int64_t after = band_damaged(base_, offset_ + data_bytes_, bytes_, band_key_);
  if (before > 0) return fmt::format("{} bytes were written before the start of {}", before, name);
  if (after > 0) return fmt::format("{} bytes were written after the end of {}", after, name);
  return std::nullopt;
}

DataLines::DataLines(const BufferSpec& spec, Dtype dtype) {
  const size_t width = size_of(dtype);
  const bool packed = static_cast<size_t>(spec.ld - spec.cols) * width < cache_line_bytes;  // no line is padding alone
  rows_ = static_cast<size_t>(packed ? std::min<int64_t>(spec.rows, 1) : spec.rows);
  row_bytes_ = static_cast<size_t>(packed ? spec.elements() : spec.cols) * width;
  distance_ = static_cast<size_t>(spec.ld) * width;
  // A row that begins in the middle of a line may reach into one more.
  per_row_ = (row_bytes_ + cache_line_bytes - 1) / cache_line_bytes + (!packed && distance_ % cache_line_bytes != 0);
}

size_t DataLines::bytes() const {
  const size_t all = rows_ == 0 ? 0 : (rows_ - 1) * distance_ + row_bytes_;
  return std::min(count(), (all + cache_line_bytes - 1) / cache_line_bytes) * cache_line_bytes;
}

size_t DataLines::at(size_t i) const {
  const size_t begin = i / per_row_ * distance_, last = begin + row_bytes_ - 1;
  return std::min(begin / cache_line_bytes + i % per_row_, last / cache_line_bytes) * cache_line_bytes;
}

Result<Inputs> Inputs::draw(ProblemPtr problem, Fill fill, uint64_t seed, Edge edge) {
  Inputs inputs;
  inputs.problem_ = problem;
  inputs.fill_ = fill;
  inputs.edge_ = edge;
  for (const BufferSpec& spec : problem->buffers()) {
    TRY_ASSIGN(Region region, Region::make(spec.bytes(problem->dtype()), edge, secret_bits()));
    inputs.regions_.push_back(std::move(region));
    TRY(inputs.regions_.back().seal());
  }
  inputs.redraw(seed);
  return inputs;
}

void Inputs::redraw(uint64_t seed) {
  HostBuffers pointers;
  for (Region& region : regions_) pointers.push_back(region.data());
  problem_->fill(fill_, seed, pointers);
}

void Inputs::redraw_partly(uint64_t seed, size_t hidden_bytes) {
  const size_t which = smallest_input();
  std::byte* const shown = regions_[which].data();
  hidden_.resize(regions_.size());
  std::vector<std::byte>& hidden = hidden_[which];
  hidden.resize(static_cast<size_t>(problem_->buffers()[which].bytes(problem_->dtype())));
  // One line of each part, so that hardly any row is complete.
  const DataLines data(problem_->buffers()[which], problem_->dtype());
  const size_t lines = data.count(), some = std::min(lines, hidden_bytes / cache_line_bytes);
  smallest_.clear();
  for (size_t i = 0; i < some; ++i) {
    const size_t first = i * lines / some, next = (i + 1) * lines / some;
    const size_t at = data.at(first + random_bits(~seed, lines + i) % (next - first));
    if (smallest_.empty() || smallest_.back().at != at) smallest_.push_back({which, at});
  }
  shuffle(smallest_, ~seed);
  const auto bytes_of = [&](const CacheLine& line) { return std::min(cache_line_bytes, hidden.size() - line.at); };
  for (const CacheLine& line : smallest_) std::memcpy(hidden.data() + line.at, shown + line.at, bytes_of(line));
  redraw(seed);
  for (const CacheLine& line : smallest_)
    std::swap_ranges(shown + line.at, shown + line.at + bytes_of(line), hidden.data() + line.at);
}

void Inputs::draw_hidden(uint64_t seed) {
  hidden_.resize(regions_.size());
  HostBuffers pointers;
  for (size_t i = 0; i < regions_.size(); ++i) {
    hidden_[i].resize(static_cast<size_t>(problem_->buffers()[i].bytes(problem_->dtype())));
    pointers.push_back(hidden_[i].data());
  }
  problem_->fill(fill_, seed, pointers);
  larger_.clear();
  smallest_.clear();
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (problem_->buffers()[i].role != Role::input) continue;
    auto& lines = i == smallest_input() ? smallest_ : larger_;
    const DataLines data(problem_->buffers()[i], problem_->dtype());
    for (size_t line = 0; line < data.count(); ++line)
      if (line == 0 || data.at(line) != data.at(line - 1)) lines.push_back({i, data.at(line)});
  }
  for (auto* lines : {&larger_, &smallest_}) shuffle(*lines, ~seed);
}

size_t Inputs::smallest_input() const {
  std::optional<size_t> smallest;
  const auto bytes = [&](size_t i) { return DataLines(problem_->buffers()[i], problem_->dtype()).bytes(); };
  for (size_t i = 0; i < regions_.size(); ++i)
    if (problem_->buffers()[i].role == Role::input && (!smallest || bytes(i) < bytes(*smallest))) smallest = i;
  return smallest.value_or(0);
}

void Inputs::show_outputs() {
  for (size_t i = 0; i < regions_.size(); ++i)
    if (problem_->buffers()[i].role != Role::input) std::memcpy(regions_[i].data(), hidden_[i].data(), hidden_[i].size());
}

void Inputs::show(Show which, CopyTo to) {
  for (const auto [region, at] : which == Show::larger_inputs ? larger_ : smallest_) {
    const std::byte* from = hidden_[region].data() + at;
    const size_t bytes = std::min(cache_line_bytes, hidden_[region].size() - at);
    if (to == CopyTo::caches)
      std::memcpy(regions_[region].data() + at, from, bytes);
    else
      copy_past_caches(regions_[region].data() + at, from, bytes);
  }
  if (to == CopyTo::memory) wait_for_flushes();
}

Result<Inputs> Inputs::refreshed(uint64_t salt) const {
  Inputs fresh;
  fresh.problem_ = problem_;
  fresh.fill_ = fill_;
  fresh.edge_ = edge_;
  for (size_t i = 0; i < regions_.size(); ++i) {
    const BufferSpec& spec = problem_->buffers()[i];
    const int64_t bytes = spec.bytes(problem_->dtype());
    TRY_ASSIGN(Region region, Region::make(bytes, edge_, regions_[i].band_key()));
    const auto width = static_cast<int64_t>(size_of(problem_->dtype()));
    const uint64_t key = lab::refresh_key(salt, static_cast<int>(i));
    parallel_for(spec.elements(), int64_t{1} << 16, [&](int64_t begin, int64_t end) {
      std::memcpy(region.data() + begin * width, regions_[i].data() + begin * width,
                  static_cast<size_t>((end - begin) * width));
      if (spec.role != Role::output) lab::refresh(region.data(), begin, end, static_cast<int>(width), key);
    });
    if (spec.role != Role::output) lab::touch(region.data(), spec.elements(), static_cast<int>(width), key);
    fresh.regions_.push_back(std::move(region));
  }
  return fresh;
}

ConstHostBuffers Inputs::pristine() const {
  ConstHostBuffers pointers;
  for (const Region& r : regions_) pointers.push_back(r.data());
  return pointers;
}

Result<ReturnedRegions> ReturnedRegions::make(const Inputs& inputs, protocol::Placement placement) {
  ReturnedRegions returned;
  const Problem& problem = inputs.problem();
  for (const BufferSpec& spec : problem.buffers()) {
    returned.regions_.emplace_back();
    // A CPU variant cannot write to inputs, so they need not be handed back.
    if (spec.role == Role::input && placement != protocol::Placement::device) continue;
    // A device returns the bands that it got with the input.
    const uint64_t key = inputs.regions()[returned.regions_.size() - 1].band_key();
    TRY_ASSIGN(returned.regions_.back(), Region::make(spec.bytes(problem.dtype()), inputs.edge(), key));
  }
  returned.reset(inputs);
  return returned;
}

void ReturnedRegions::reset(const Inputs& inputs) {
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (!regions_[i]) continue;
    const BufferSpec& spec = inputs.problem().buffers()[i];
    std::byte* to = regions_[i]->data();
    const std::byte* from = inputs.regions()[i].data();
    parallel_for(spec.bytes(inputs.problem().dtype()), grain_bytes, [&](int64_t begin, int64_t end) {
      if (spec.role == Role::input)
        std::memset(to + begin, poison_byte, static_cast<size_t>(end - begin));
      else
        std::memcpy(to + begin, from + begin, static_cast<size_t>(end - begin));
    });
  }
}

ReturnedRegions::Damage ReturnedRegions::damage(const Inputs& inputs) const {
  const Problem& problem = inputs.problem();
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (!regions_[i]) continue;
    const BufferSpec& spec = problem.buffers()[i];
    if (const auto text = regions_[i]->band_damage(spec.name)) return {.out_of_bounds = true, .message = *text};
    const std::byte* before = inputs.regions()[i].data();
    const std::byte* after = regions_[i]->data();
    if (spec.role != Role::input) {
      if (const auto text = padding_damage(spec, problem.dtype(), before, after))
        return {.out_of_bounds = true, .message = *text};
    } else if (!same(before, after, spec.bytes(problem.dtype()))) {
      return {.input_modified = true, .message = fmt::format("the input {} was overwritten", spec.name)};
    }
  }
  return {};
}

}  // namespace harness
