#include "harness/store/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <thread>

#include "harness/store/run_clock.h"
#include "harness/store/store.h"

namespace harness {
namespace {

// The file contains "pid since_ms\n". It is never removed, because then two processes could lock two different files.
fs::path lock_file(const fs::path& results, const std::string& lab) { return results / lab / ".lock"; }

LockHolder read_holder(int fd) {
  char text[64] = {};
  LockHolder holder{0, now_ms()};
  if (pread(fd, text, sizeof text - 1, 0) <= 0) return holder;
  LockHolder said;
  if (std::sscanf(text, "%d %" SCNd64, &said.pid, &said.since_ms) != 2) return holder;
  return said;
}

Error in_use(const fs::path& folder, const LockHolder& holder) {
  const std::string who =
      holder.pid == 0 ? "" : fmt::format(" (pid {}, since {})", holder.pid, readable_time(holder.since_ms));
  return {
      fmt::format("{} is in use by another run{}; wait for it, or give --results another folder", folder.string(), who),
      ExitCode::machine};
}

Error failed(const char* what, const fs::path& file, int error) {
  const bool full = error == ENOSPC || error == EDQUOT, no_locks = error == ENOLCK || error == EOPNOTSUPP;
  const char* way_out = full       ? "free some space and run again: finished cases are kept"
                        : no_locks ? "give --results a folder on a local disk"
                                   : "check who owns the folder, or give --results another one";
  return {fmt::format("{}: {}: {}; {}", file.string(), what, std::strerror(error), way_out), ExitCode::machine};
}

}  // namespace

Done check_lab_name(const std::string& lab) {
  const bool fits = !lab.empty() && lab[0] != '.' && lab.size() <= 100 &&
                    std::ranges::all_of(lab, [](unsigned char c) { return c > ' ' && c != '/'; });
  if (fits) return ok();
  return Error{fmt::format("lab \"{}\" cannot name a folder: give it a short name of letters, digits, - and _", lab)};
}

std::optional<LockHolder> lock_holder(const fs::path& results, const std::string& lab) {
  const int fd = open(lock_file(results, lab).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::optional<LockHolder> holder;
  if (flock(fd, LOCK_SH | LOCK_NB) != 0) holder = read_holder(fd);
  close(fd);
  return holder;
}

Result<RunLock> RunLock::take(const fs::path& results, const std::string& lab) {
  TRY(check_lab_name(lab));
  TRY(make_folders(results / lab));
  const fs::path file = lock_file(results, lab);
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return failed("cannot open", file, errno);
  RunLock lock(fd);
  // lock_holder() of another process holds the lock for a moment.
  for (int attempt = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK) return failed("cannot lock", file, errno);
    if (attempt == 5) return in_use(results / lab, read_holder(fd));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string said = fmt::format("{} {}\n", getpid(), now_ms());
  if (ftruncate(fd, 0) != 0 || pwrite(fd, said.data(), said.size(), 0) != static_cast<ssize_t>(said.size()))
    return failed("cannot write", file, errno);
  return lock;
}

RunLock::RunLock(RunLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }

RunLock::~RunLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace harness
