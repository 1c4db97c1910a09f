#include "harness/check/observation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace harness {

namespace {

CellState state_of(const Observation& o, const ConstHostBuffers& inputs, const std::byte* output,
                   size_t index) {
  const Dtype dtype = o.problem.dtype();
  const BufferSpec& spec = o.problem.output();
  const Cell cell = o.cell(index);
  const int64_t at = cell.row * spec.ld + cell.col;
  const bool finite = is_finite(dtype, output, at);
  if (finite && o.tolerance.near(o.got[index], o.want[index], o.scale[index], o.old[index])) return CellState::right;

  const uint64_t bits = load_bits(dtype, output, at);
  const uint64_t all = ~uint64_t{0} >> (64 - 8 * size_of(dtype)), poison = all / 0xff * poison_byte;
  if (bits == load_bits(dtype, inputs.back(), at) || (spec.role == Role::output && bits == poison))
    return CellState::unwritten;
  if (finite) {
    constexpr double of_scale = 1e15;  // padding and bands hold numbers from 1e30 on
    return std::abs(o.got[index]) > of_scale * std::max(1.0, o.scale[index]) ? CellState::huge : CellState::wrong;
  }
  return bits == padding_bits(dtype) ? CellState::from_padding : CellState::not_finite;
}

/// Completes an observation whose cells, want and scale are set.
void compare(Observation& o, const ConstHostBuffers& inputs, const std::byte* output) {
  if (o.tolerance.uniform && !o.scale.empty())
    std::fill(o.scale.begin(), o.scale.end(), o.problem.normwise_scale(inputs, o.scale));
  o.got.resize(o.size());
  o.old.resize(o.size());
  o.state.resize(o.size());
  const int64_t ld = o.problem.output().ld;
  for (size_t i = 0; i < o.size(); ++i) {
    const Cell cell = o.cell(i);
    o.got[i] = load(o.problem.dtype(), output, cell.row * ld + cell.col);
    o.old[i] = o.problem.old_part(inputs, cell);
    o.state[i] = state_of(o, inputs, output, i);
    o.wrong += o.state[i] != CellState::right;
  }
}

std::vector<int64_t> all_of(int64_t size) {
  std::vector<int64_t> indices(static_cast<size_t>(size));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

}  // namespace

Observation observe(const Problem& problem, const Tolerance& tolerance, const ConstHostBuffers& inputs,
                    const std::byte* output) {
  Observation o{problem, tolerance, all_of(problem.output().rows), all_of(problem.output().cols), {}, {}, {}, {}, {}};
  o.want.resize(o.size());
  o.scale.resize(o.size());
  problem.reference(inputs, o.want.data(), o.scale.data());
  compare(o, inputs, output);
  return o;
}

Observation observe(const Problem& problem, const Tolerance& tolerance, const ConstHostBuffers& inputs,
                    const std::byte* output, std::vector<int64_t> rows, std::vector<int64_t> cols) {
  Observation o{problem, tolerance, std::move(rows), std::move(cols), {}, {}, {}, {}, {}};
  o.want.resize(o.size());
  o.scale.resize(o.size());
  std::vector<Cell> cells(o.size());
  for (size_t i = 0; i < cells.size(); ++i) cells[i] = o.cell(i);
  problem.reference_at(inputs, cells, o.want.data(), o.scale.data());
  compare(o, inputs, output);
  return o;
}

CheckResult summarize(const Observation& o) {
  CheckResult v;
  v.method = o.tolerance.exact ? Method::exact : Method::componentwise;
  v.right = o.wrong == 0;
  v.compared = static_cast<int64_t>(o.size());
  v.wrong = o.wrong;
  v.weak = true;
  for (size_t i = 0; i < o.size(); ++i) {
    const double ratio = o.tolerance.ratio(o.got[i], o.want[i], o.scale[i], o.old[i]);
    if (o.state[i] != CellState::right && !v.first) {
      v.first = o.cell(i);
      v.got = o.got[i];
      v.want = o.want[i];
      v.bound = o.tolerance.bound(o.want[i], o.scale[i], o.old[i]);
    }
    if (o.state[i] != CellState::right && (!v.worst || ratio > v.worst_ratio)) v.worst = o.cell(i);
    v.worst_ratio = std::max(v.worst_ratio, ratio);
    if (!o.tolerance.near(0, o.want[i], o.scale[i], o.old[i])) v.weak = false;
  }
  if (!o.tolerance.exact && o.tolerance.factor_gamma > 0)
    v.worst_ratio_gamma = v.worst_ratio * (o.tolerance.factor / o.tolerance.factor_gamma);
  return v;
}

WrongLines wrong_lines(const Observation& o) {
  std::vector<char> rows(o.rows.size()), cols(o.cols.size());
  for (size_t i = 0; i < o.size(); ++i)
    if (o.state[i] != CellState::right) rows[i / o.cols.size()] = cols[i % o.cols.size()] = 1;
  WrongLines lines;
  for (size_t r = 0; r < rows.size(); ++r)
    if (rows[r] != 0) lines.rows.push_back(o.rows[r]);
  for (size_t c = 0; c < cols.size(); ++c)
    if (cols[c] != 0) lines.cols.push_back(o.cols[c]);
  return lines;
}

}  // namespace harness
