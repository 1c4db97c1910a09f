#include "harness/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "harness/base/draft.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// More than any file that the harness reads as a whole.
constexpr size_t largest_file = size_t{1} << 30;

Error failed(const std::string& what, const fs::path& path, int error, ExitCode exit) {
  std::string way_out;
  if (error == ENOSPC) way_out = "; free some space and run again: finished cases are kept";
  if (error == EACCES || error == EPERM || error == EROFS) way_out = "; check who owns it, or choose another folder";
  if (error == ENOTDIR) way_out = "; a part of this path is a file: choose another folder";
  return {fmt::format("{}: {}: {}{}", path.string(), what, std::strerror(error), way_out), exit};
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a FIFO would wait
  if (fd < 0) return failed("cannot read", path, errno, ExitCode::usage);
  struct stat status = {};
  if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    close(fd);
    return Error{fmt::format("{}: cannot read: it is a device or a pipe, not a file", path.string())};
  }
  std::string text;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      close(fd);
      return failed("cannot read", path, error, ExitCode::usage);
    }
    if (n == 0) break;
    if (text.size() > largest_file) {
      close(fd);
      return Error{fmt::format("{}: cannot read: it is larger than {}", path.string(), human_bytes(largest_file))};
    }
    text.append(chunk, static_cast<size_t>(n));
  }
  close(fd);
  return text;
}

Done write_file(const fs::path& path, std::string_view text) {
  const fs::path temporary = draft_of(path);
  // A folder that a compiler wrote to may hold a link under this name, which would be followed.
  unlink(temporary.c_str());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return failed("cannot write", path, errno, ExitCode::machine);
  int error = 0;
  for (size_t at = 0; at < text.size() && error == 0;) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) error = errno;
    if (n > 0) at += static_cast<size_t>(n);
  }
  // Without the sync a crash after the rename could leave an empty file under the final name.
  if (error == 0 && fsync(fd) != 0) error = errno;
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return ok();
  unlink(temporary.c_str());
  return failed("cannot write", path, error, ExitCode::machine);
}

Done make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return failed("cannot create the folder", path, error.value(), ExitCode::machine);
  return ok();
}

namespace {

// What all others need to read a file, to run a program and to look into a folder.
fs::perms to_read(const fs::path& path) {
  std::error_code error;
  const bool enters = fs::is_directory(path, error) || (fs::status(path, error).permissions() & fs::perms::owner_exec) != fs::perms::none;
  const fs::perms read = fs::perms::group_read | fs::perms::others_read;
  return enters ? read | fs::perms::group_exec | fs::perms::others_exec : read;
}

}  // namespace

Done open_to_readers(const fs::path& folder) {
  std::error_code error;
  fs::permissions(folder, to_read(folder), fs::perm_options::add, error);
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    fs::permissions(at->path(), to_read(at->path()), fs::perm_options::add, error);
  if (error) return failed("cannot change who may read it", folder, error.value(), ExitCode::machine);
  return ok();
}

fs::path closed_to_others(const fs::path& folder) {
  std::error_code error;
  const auto is_closed = [&](const fs::path& path) {
    const fs::perms needed = to_read(path) & (fs::perms::others_read | fs::perms::others_exec);
    return !fs::is_symlink(fs::symlink_status(path, error)) && (fs::status(path, error).permissions() & needed) != needed;
  };
  if (is_closed(folder)) return folder;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (is_closed(at->path())) return at->path();
  return {};
}

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  std::string name = fmt::format("{}/harness-XXXXXX", base && *base ? base : "/tmp");
  if (mkdtemp(name.data())) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<fs::path> project_root() {
  const auto is_root = [](const fs::path& p) {
    return fs::is_directory(p / "labs/lab") && fs::is_directory(p / "configs");
  };
  std::error_code error;
  if (const char* named = std::getenv("HARNESS_ROOT"); named && *named) {
    if (is_root(named)) return fs::canonical(named, error);
    return Error{
        fmt::format("$HARNESS_ROOT is \"{}\", which has no labs/lab and configs; unset it or correct it", named)};
  }
  // Not the current folder: it may be a stranger's, whose programs would run.
  for (fs::path p = fs::read_symlink("/proc/self/exe", error); p.has_relative_path(); p = p.parent_path())
    if (is_root(p)) return p;
  return Error{"no project found around this program; set $HARNESS_ROOT to a clone of the project"};
}

}  // namespace harness
