#include <fmt/format.h>

#include <algorithm>

#include "harness/base/project.h"
#include "harness/base/text.h"
#include "harness/claims/answer.h"
#include "harness/engine/lab.h"
#include "harness/plan/variants.h"
#include "harness/sandbox/sandbox.h"
#include "harness/tables/published.h"

namespace harness {
namespace {

/// Removes variants from the sweeps, and sweeps that then have none.
void leave_out(const std::vector<std::string>& absent, std::vector<Sweep>& sweeps) {
  for (Sweep& sweep : sweeps) {
    for (size_t i = sweep.variants.size(); i-- > 0;)
      if (contains(absent, sweep.variants[i])) {
        sweep.variants.erase(sweep.variants.begin() + static_cast<ptrdiff_t>(i));
        sweep.variant_positions.erase(sweep.variant_positions.begin() + static_cast<ptrdiff_t>(i));
      }
    for (size_t i = sweep.include.size(); i-- > 0;)
      if (const Value* variant = find(sweep.include[i], "variant"); contains(absent, to_string(*variant))) {
        sweep.include.erase(sweep.include.begin() + static_cast<ptrdiff_t>(i));
        sweep.include_positions.erase(sweep.include_positions.begin() + static_cast<ptrdiff_t>(i));
      }
  }
  std::erase_if(sweeps, [](const Sweep& sweep) { return sweep.variants.empty(); });
}

void expect(const std::string& name, std::vector<VariantInfo>& variants) {
  auto at = std::ranges::find(variants, name, &VariantInfo::name);
  if (at == variants.end()) at = variants.insert(at, VariantInfo{.name = name});
  at->from_submission = true;
}

/// What the variant declares, if its lab does not accept that from a submission. `own`: the lab's own variants.
std::string refused_precision(const Config& config, const std::vector<VariantInfo>& own, const VariantInfo& variant) {
  std::vector<std::string> accepted = {"", "ieee"};
  if (config.allowed_precisions) {
    accepted.insert(accepted.end(), config.allowed_precisions->begin(), config.allowed_precisions->end());
  } else {
    if (!config.grade) return "";
    for (const VariantInfo& labs : own)
      if (labs.name == variant.name) accepted.push_back(labs.precision);
  }
  return contains(accepted, variant.precision) ? "" : variant.precision;
}

Done add_the_submission(const RunOptions& options, Lab& lab) {
  const std::vector<VariantInfo> own = lab.variants;
  TRY(add_submission(lab.variants, *options.submission, *lab.kernel, options.links, options.submitted));
  for (VariantInfo& variant : lab.variants)
    if (variant.from_submission && variant.defect.empty())
      if (const std::string refused = refused_precision(lab.config, own, variant); !refused.empty())
        variant.defect = fmt::format("it declares LAB_PRECISION({}), which this lab does not accept from a submission; remove "
                                     "it (key \"allowed_precisions\" of the config)",
                                     printable(refused, 40));
  return ok();
}

std::vector<Claim> all_claims(const Config& config) {
  std::vector<Claim> claims = config.claims;
  if (config.grade)
    for (const Rule& rule : config.grade->rules)
      if (rule.claim) claims.push_back(*rule.claim);
  return claims;
}

}  // namespace

Result<Lab> load_lab(const RunOptions& options) {
  Lab lab;
  lab.options = options;
  TRY_ASSIGN(const fs::path project, project_root());
  lab.root = options.root.empty() ? project : options.root;
  lab.results = options.results.empty() ? default_results(project) : options.results;
  lab.cache = cache_folder(project);
  TRY_ASSIGN(lab.config, load_config(options.config, options.rules));
  leave_out(options.absent, lab.config.sweeps);
  const Config& config = lab.config;
  lab.kernel = find_kernel(config.kernel);
  if (!lab.kernel)
    return Error{fmt::format("{}: unknown kernel \"{}\"{}; there are {}", to_string(config.kernel_position),
                             config.kernel, did_you_mean(config.kernel, kernel_names()), join(kernel_names(), ", "))};
  if (!config.sandbox.empty())
    if (const auto found = find_sandbox(config.sandbox); !found)
      return Error{fmt::format("{}: {}", to_string(config.sandbox_position), found.error().message)};
  if (!options.sandbox.empty())
    if (const auto found = find_sandbox(options.sandbox); !found) return found.error();
  TRY_ASSIGN(lab.published, read_published(config));
  TRY_ASSIGN(lab.recorded, read_recorded_table(config));
  TRY_ASSIGN(lab.variants, scan_variants(lab.root / "labs" / lab.kernel->name(), *lab.kernel));
  if (options.submission) TRY(add_the_submission(options, lab));
  for (const std::string& name : options.expected) expect(name, lab.variants);
  TRY_ASSIGN(lab.plan, make_plan(config, *lab.kernel, lab.variants, options.selection));
  if (const std::vector<Claim> claims = all_claims(config); !claims.empty())
    TRY(check_claims(claims, lab.plan.all, options.absent));  // a selection makes no claim wrong
  if (!options.only.empty())
    std::erase_if(lab.plan.cases, [&](const Case& one) { return !options.only.contains(one.id); });
  return lab;
}

}  // namespace harness
