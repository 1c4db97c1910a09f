#include "emulator/device/diagnostics.h"

#include <algorithm>
#include <cstdio>

#include "emulator/device/arena.h"
#include "emulator/device/device.h"
#include "emulator/device/options.h"

namespace lab::emulated {
namespace {

/// The most mistakes that are kept.
constexpr size_t most_mistakes = 4 * LAB_MAX_DIAGNOSTICS;

lab_diagnostic advice(lab_diagnostic_kind kind, const char* kernel, uint64_t site, const Traffic& t, int64_t have,
                   int64_t ideal) {
  lab_diagnostic f = {};
  f.kind = kind;
  std::snprintf(f.kernel, sizeof f.kernel, "%s", kernel);
  f.origin.code = site;
  f.origin.access = t.access;
  f.bytes = t.bytes;
  f.count = t.requests;
  f.have = have;
  f.ideal = ideal;
  return f;
}

__attribute__((tls_model("initial-exec"))) thread_local volatile bool is_busy = false;

}  // namespace

class Diagnostics::Lock {
 public:
  explicit Lock(std::mutex& mutex) : mutex_(mutex) {
    is_busy = true;
    mutex_.lock();
  }
  ~Lock() {
    mutex_.unlock();
    is_busy = false;
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::mutex& mutex_;
};

bool Diagnostics::busy() { return is_busy; }

Diagnostics& Diagnostics::get() {
  static Diagnostics& all = *new Diagnostics;  // it is also asked after a variant has called exit()
  return all;
}

void Diagnostics::add(lab_diagnostic f, const char* kernel) {
  const Lock lock(mutex_);
  std::snprintf(f.kernel, sizeof f.kernel, "%s", kernel);
  const auto key = std::make_tuple(std::string(f.kernel), f.kind, f.origin.code, f.other.code);
  if (const auto at = mistakes_.find(key); at != mistakes_.end())
    ++at->second.count;
  else if (mistakes_.size() < most_mistakes)
    mistakes_.emplace(key, f);
}

Traffic& Diagnostics::traffic(const char* kernel, uint64_t site, bool is_shared, unsigned bytes,
                           lab_access access) {
  const Lock lock(mutex_);
  Traffic& t = traffic_[{kernel, site, is_shared, bytes}];
  t.is_shared = is_shared;
  t.bytes = bytes;
  t.access = access;
  return t;
}

void Diagnostics::distinct(const char* kernel, uint64_t bytes) {
  const Lock lock(mutex_);
  distinct_[kernel] += bytes;
}

void Diagnostics::launched(const char* kernel, int64_t blocks, int64_t threads, int64_t lanes) {
  const Lock lock(mutex_);
  Lanes& all = lanes_[kernel];
  all.blocks += blocks;
  all.there += blocks * threads;
  all.possible += blocks * ((threads + lanes - 1) / lanes * lanes);
}

std::vector<lab_diagnostic> Diagnostics::take() {
  const Lock lock(mutex_);
  std::vector<lab_diagnostic> mistakes, speed;
  for (const auto& [key, f] : mistakes_) mistakes.push_back(f);
  struct Asked {
    int64_t bytes = 0;
    int64_t most = 0;
    uint64_t site = 0;
    Traffic traffic;
  };
  std::map<std::string, Asked> asked;
  for (const auto& [key, t] : traffic_) {
    const auto& [kernel, site, is_shared, bytes] = key;
    speed.push_back(
        advice(is_shared ? lab_bank_conflicts : lab_uncoalesced, kernel, site, t, t.have, t.ideal));
    speed.push_back(advice(lab_divergence, kernel, site, t, t.took, t.could));
    if (t.on_one > 0) speed.push_back(advice(lab_contention, kernel, site, t, t.on_one, t.requests));
    if (is_shared || t.access != lab_access_read) continue;
    Asked& a = asked[kernel];
    a.bytes += t.asked_bytes;
    if (t.asked_bytes > a.most) {
      a.most = t.asked_bytes;
      a.site = site;
      a.traffic = t;
    }
  }
  for (const auto& [kernel, a] : asked)
    if (const auto at = distinct_.find(kernel); at != distinct_.end() && at->second > 0 && a.bytes > static_cast<int64_t>(at->second))
      speed.push_back(advice(lab_redundant_traffic, kernel.c_str(), a.site, a.traffic, a.bytes,
                             static_cast<int64_t>(at->second)));
  for (const auto& [kernel, lanes] : lanes_)
    if (lanes.there < lanes.possible)
      speed.push_back(advice(lab_idle_lanes, kernel.c_str(), 0, {.requests = lanes.blocks}, lanes.there, lanes.possible));
  // Advice on memory traffic comes first, because idle lanes cost less.
  std::sort(speed.begin(), speed.end(), [](const lab_diagnostic& a, const lab_diagnostic& b) {
    const auto key = [](const lab_diagnostic& f) {
      return std::make_tuple(f.kind == lab_divergence || f.kind == lab_idle_lanes, f.kind != lab_redundant_traffic, f.ideal - f.have,
                             f.origin.code);
    };
    return key(a) < key(b);
  });
  mistakes_.clear();
  traffic_.clear();
  distinct_.clear();
  lanes_.clear();
  mistakes.insert(mistakes.end(), speed.begin(), speed.end());
  return mistakes;
}

static lab_diagnostic of_host_code(lab_diagnostic_kind kind, const void* return_address) {
  lab_diagnostic f = {};
  f.kind = kind;
  f.count = 1;
  f.origin.code = return_address ? code_offset(return_address) - 1 : 0;
  return f;
}

void host_reads(const void* p, size_t bytes, const void* return_address) {
  if (Arena::get().holds_input(p, bytes)) Diagnostics::get().add(of_host_code(lab_input_read_back, return_address), "");
}

cudaError_t refuse(cudaError_t error, const std::string& why, const void* return_address) {
  set_error(error, why);
  if (!options().diagnostics) return error;
  lab_diagnostic f = of_host_code(lab_refused, return_address);
  std::snprintf(f.detail, sizeof f.detail, "%s", why.c_str());
  Diagnostics::get().add(f, "");
  return error;
}

}  // namespace lab::emulated
