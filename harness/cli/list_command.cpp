// harness list: labs, variants, sandboxes, needs. Everything is read from where it is defined.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/build/needs.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/config/config.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/variants.h"
#include "harness/sandbox/sandbox.h"

namespace harness {
namespace {

Result<std::string> labs(const fs::path& root) {
  std::string text = tr("labs") + "\n";
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "configs", error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const std::string shown = "configs/" + file.filename().string();
    const auto config = load_config(file.string());
    text += fmt::format("  {:<30} {}\n", shown, config ? config->title : told(config.error().message));
  }
  return text;
}

Result<std::string> variants(const fs::path& root) {
  std::string text;
  for (const std::string& name : kernel_names()) {
    const Kernel& kind = *find_kernel(name);
    text += fmt::format("\n{}  {}\n", name, kind.formula());
    TRY_ASSIGN(const auto all, scan_variants(root / "labs" / name, kind));
    for (const VariantInfo& v : all) {
      std::vector<std::string> types;
      for (const Dtype t : v.dtypes) types.emplace_back(to_string(t));
      text += fmt::format("  {:<24} {:<12} {}\n", v.name, join(types, " "), v.summary);
    }
  }
  return text;
}

std::string sandboxes() {
  std::string text = "\n" + tr("sandboxes") + "\n";
  std::vector<const Sandbox*> all = registry<Sandbox>();
  std::ranges::sort(all, [](auto* a, auto* b) { return a->name() < b->name(); });
  for (const Sandbox* s : all) {
    const Done works = s->available();
    text += fmt::format("  {:<24} {}\n", s->name(), told(works ? s->summary() : works.error().message));
  }
  return text;
}

class List final : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string help() const override { return "labs, variants, sandboxes; --needs: what LAB_NEEDS may name"; }
  int order() const override { return 3; }
  std::vector<Option> options() override { return {{"--needs", &needs_, "what a variant may declare with LAB_NEEDS"}}; }

  Result<ExitCode> run() override {
    if (needs_) {
      for (const Need& need : needs()) print(fmt::format("{:<12} {}\n", need.name, told(need.meaning)));
      return ExitCode::ok;
    }
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const std::string lab_text, labs(root));
    TRY_ASSIGN(const std::string variant_text, variants(root));
    print(lab_text + variant_text + sandboxes());
    return ExitCode::ok;
  }

 private:
  bool needs_ = false;
};

List list_command;
const Register<Command> register_list(&list_command);

}  // namespace
}  // namespace harness
