#include "harness/grade/package.h"

#include <fmt/format.h>

#include "harness/base/embedded.h"
#include "harness/base/text.h"
#include "harness/config/visible_config.h"
#include "harness/grade/grades.h"
#include "harness/python/reports.h"

namespace harness {
namespace {

struct Service {
  std::string_view name, entry;
  bool sees_hidden_rules;  // what is uploaded there stays with the teachers
};
constexpr Service services[] = {{"gradescope", "run_autograder", true}, {"classroom50", "autograder.py", false}};

Done copy_into(const fs::path& from, const fs::path& to) {
  std::error_code error;
  TRY(make_folders(to.parent_path()));
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (error) return Error{fmt::format("{}: cannot copy: {}", from.string(), error.message()), ExitCode::machine};
  return ok();
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

Result<std::string> script(std::string_view name, const Config& config, const PackageOptions& options) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.group == "packages" && file.name == name)
      return replaced(replaced(std::string(file.bytes), "@LAB@", config.lab), "@SANDBOX@", options.sandbox);
  return Error{fmt::format("this program was built without {}", name), ExitCode::machine};
}

Done fill(const fs::path& folder, const fs::path& root, const Config& config, const Service& service,
          const PackageOptions& options, Package& package) {
  TRY(copy_into("/proc/self/exe", folder / "harness"));
  TRY(copy_into(root / "labs", folder / "labs"));
  TRY(copy_into(root / "reports", folder / "reports"));
  TRY(copy_into(root / "languages", folder / "languages"));
  std::error_code ignored;
  for (const char* tests : {"tests", "grades/tests"}) fs::remove_all(folder / "reports" / tests, ignored);
  std::string text = config.text;
  if (!service.sees_hidden_rules) {
    TRY_ASSIGN(text, visible_config(config));
    package.hidden_rules = config.grade->hidden();
  }
  TRY(make_folders(folder / "configs"));
  TRY(write_file(folder / "configs" / (config.lab + ".yaml"), text));
  TRY_ASSIGN(const Config copied, parse_config(text, config.path));
  TRY_ASSIGN(const auto tables, tables_of(copied));
  for (const fs::path& table : tables) TRY(copy_into(beside(config, table.string()), folder / "configs" / table));
  for (const std::string& name : {std::string("setup.sh"), fmt::format("{}/{}", service.name, service.entry)}) {
    TRY_ASSIGN(const std::string content, script(name, config, options));
    const fs::path file = folder / fs::path(name).filename();
    TRY(write_file(file, content));
    fs::permissions(file, fs::perms(0755), ignored);
  }
  return ok();
}

}  // namespace

std::vector<std::string> package_services() {
  std::vector<std::string> names;
  for (const Service& service : services) names.emplace_back(service.name);
  return names;
}

Result<Package> make_package(const PackageOptions& options) {
  const auto service = std::ranges::find(services, options.service, &Service::name);
  if (service == std::end(services))
    return Error{fmt::format("--for \"{}\"{}; there are {}", options.service,
                             did_you_mean(options.service, package_services()), join(package_services(), ", "))};
  TRY_ASSIGN(const Config config, load_graded(options.config));
  TRY_ASSIGN(const fs::path root, project_root());
  const TemporaryFolder folder;
  Package package;
  TRY(fill(folder.path(), root, config, *service, options, package));
  std::vector<std::string> words = {"zipfile", "-c", fs::absolute(options.output).string()};
  for (const auto& entry : fs::directory_iterator(folder.path())) words.push_back(entry.path().string());
  std::ranges::sort(words.begin() + 3, words.end());
  TRY_ASSIGN(const ProcessResult zipped, run_python(root, words));
  if (zipped.exit != 0)
    return Error{fmt::format("{}: cannot be written: {}", options.output.string(), python_error(zipped).message),
                 ExitCode::machine};
  return package;
}

}  // namespace harness
