#include "harness/grade/archive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "harness/base/embedded.h"
#include "harness/base/project.h"
#include "harness/base/text.h"
#include "harness/grade/submission_limits.h"
#include "harness/plan/variants.h"
#include "harness/sandbox/child.h"

namespace harness {
namespace {

constexpr uintmax_t largest_archive = 64 << 20;
constexpr uintmax_t most_unpacked_bytes = uintmax_t{1} << 30;
constexpr int most_cpu_s = 60;
constexpr double timeout_s = 600;  // then the machine is to blame: it has given the program less than a tenth of a core
// As in unpack_submission.py. Any other exit code is a failure of the machine.
constexpr int exit_refused = 20, exit_unreadable = 21;

struct Ending {
  std::string_view text;
  ArchiveKind kind;
};
constexpr Ending endings[] = {{".zip", ArchiveKind::zip},     {".tar", ArchiveKind::tar},
                              {".tar.gz", ArchiveKind::tar},  {".tgz", ArchiveKind::tar},
                              {".tar.xz", ArchiveKind::tar},  {".txz", ArchiveKind::tar},
                              {".tar.bz2", ArchiveKind::tar}, {".tbz2", ArchiveKind::tar},
                              {".tar.zst", ArchiveKind::tar}, {".bundle", ArchiveKind::bundle}};

const Ending* ending_of(const std::string& any_case) {
  const std::string name = lower(any_case);
  for (const Ending& one : endings)
    if (name.size() > one.text.size() && name.ends_with(one.text)) return &one;
  return nullptr;
}

bool is_bare_repository(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(folder / "HEAD", error)) &&
         fs::is_directory(fs::symlink_status(folder / "objects", error)) &&
         fs::is_directory(fs::symlink_status(folder / "refs", error));
}

std::string limits() {
  std::vector<std::string_view> code(source_endings().begin(), source_endings().end());
  code.insert(code.end(), std::begin(header_endings), std::end(header_endings));
  return nlohmann::json{{"code", code},
                        {"files", most_entries},
                        {"source_bytes", largest_source},
                        {"sources_bytes", most_source_bytes},
                        {"unpacked_bytes", most_unpacked_bytes},
                        {"cpu_s", most_cpu_s}}
      .dump();
}

class OpenFile {
 public:
  explicit OpenFile(const fs::path& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::optional<ArchiveKind> archive_kind(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_directory(status)) return is_bare_repository(path) ? std::optional(ArchiveKind::repository) : std::nullopt;
  const Ending* ending = fs::is_regular_file(status) ? ending_of(path.filename().string()) : nullptr;
  return ending ? std::optional(ending->kind) : std::nullopt;
}

std::string without_archive_ending(const std::string& name) {
  const Ending* ending = ending_of(name);
  return name.substr(0, name.size() - (ending ? ending->text.size() : name.ends_with(".git") ? 4 : 0));
}

Result<std::optional<Refusal>> unpack_archive(const fs::path& archive, ArchiveKind kind, const fs::path& folder,
                                              const std::string& sandbox) {
  const auto refuse = [](StudentStatus status, std::string why) {
    return std::optional(Refusal{status, std::move(why)});
  };
  std::error_code error;
  if (kind != ArchiveKind::repository) {
    const uintmax_t size = fs::file_size(archive, error);
    if (size > largest_archive)
      return refuse(StudentStatus::REFUSED,
                    fmt::format("the archive has {}; the limit is {}; hand in only the sources",
                                human_bytes(static_cast<double>(size)), human_bytes(largest_archive)));
  }
  TRY_ASSIGN(const fs::path root, project_root());
  const fs::path cache = cache_folder(root);
  TRY_ASSIGN(const fs::path programs, unpack("programs", cache));
  TRY_ASSIGN(const fs::path program, unpack("grading", cache));
  TRY_ASSIGN(const auto where, choose_sandbox(sandbox == "none" ? "none" : ""));
  const fs::path home = fs::absolute(folder);
  TRY(make_folders(home));
  fs::permissions(home, fs::perms::all, error);  // the program inside runs as another user
  SandboxRequest request;
  request.command = {"/usr/bin/python3",           "-I",          "-B",    (program / "unpack_submission.py").string(),
                     std::string(to_string(kind)), home.string(), limits()};
  request.mounts = {{program, Access::read}, {home, Access::write}};
  const OpenFile file(archive);
  if (kind == ArchiveKind::repository) {
    request.command.push_back(fs::absolute(archive).string());
    request.mounts.push_back({fs::absolute(archive), Access::read});
  } else if (file.fd() < 0) {
    return Error{fmt::format("{}: cannot open: {}", archive.string(), strerror(errno)), ExitCode::machine};
  } else {
    request.channel = file.fd();
  }
  request.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8"};
  request.data_bytes = int64_t{1} << 30;
  request.file_bytes = 64 << 20;
  TRY_ASSIGN(Child child, Child::start(*where, request, programs / "harness-launcher"));
  if (!child.wait(timeout_s)) {
    child.kill();
    child.wait(10);
    return Error{fmt::format("{} could not be unpacked here within {}", archive.string(), human_time(timeout_s)),
                 ExitCode::machine};
  }
  const std::string said(trim(child.output()));
  switch (child.ended().exit) {
    case 0:
      return std::optional<Refusal>();
    case exit_refused:
      return refuse(StudentStatus::REFUSED, said);
    case exit_unreadable:
      return refuse(StudentStatus::UNREADABLE, said);
    default:
      return Error{fmt::format("{} cannot be unpacked here: {}", archive.string(),
                               said.empty() ? "the program was ended" : said.substr(said.rfind('\n') + 1)),
                   ExitCode::machine};
  }
}

}  // namespace harness
