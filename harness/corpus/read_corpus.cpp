#include <fmt/format.h>

#include <algorithm>

#include "emulator/diagnostics/diagnostics.h"
#include "harness/base/text.h"
#include "harness/corpus/corpus.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/source.h"
#include "harness/plan/variants.h"

namespace harness {

const std::map<char, std::string>& exploit_classes() {
  static const std::map<char, std::string> all = {
      {'A', "the clock and the statistics"},      {'B', "a forged result"},
      {'C', "an answer that is not computed"},    {'D', "less work, or other work"},
      {'E', "memory errors that happen to pass"}, {'F', "the machine"}};
  return all;
}

namespace {

/// `// Caught as: WRONG`: what follows the colon, and where.
struct HeadLine {
  std::string text;
  int line = 0, column = 0;
};

std::vector<HeadLine> head_lines(const std::string& text, const std::string& key) {
  std::vector<HeadLine> found;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (!starts_with(line, "//")) break;
    const std::string begin = "// " + key + ":";
    if (!starts_with(line, begin)) continue;
    const std::string_view rest = trim(std::string_view(line).substr(begin.size()));
    found.push_back({std::string(rest), number, static_cast<int>(line.size() - rest.size()) + 1});
  }
  return found;
}

std::vector<std::string> status_names() {
  std::vector<std::string> names;
  for (const StatusInfo& status : statuses) names.emplace_back(status.name);
  return names;
}

Result<std::vector<Status>> read_statuses(const HeadLine& line, const CorpusEntry& entry) {
  std::vector<Status> all;
  int column = line.column;
  for (const std::string& piece : split(line.text, ',')) {
    const auto lead = static_cast<int>(std::min(piece.find_first_not_of(' '), piece.size()));
    const std::string word(trim(piece));
    const std::string where = fmt::format("{}:{}:{}", entry.file.string(), line.line, column + lead);
    const auto status = parse_enum<Status>(word);
    if (!status)
      return Error{fmt::format("{}: unknown status \"{}\"{}; there are {}", where, printable(word, 40),
                               did_you_mean(word, status_names()), join(status_names(), ", "))};
    if (*status == Status::PASSED && entry.folder == CorpusFolder::wrong)
      return Error{where + ": what passes is not wrong; move the file to correct/ or take PASSED out"};
    all.push_back(*status);
    column += static_cast<int>(piece.size()) + 1;
  }
  return all;
}

Done read_diagnostic(const std::string& text, const HeadLine& line, CorpusEntry& entry) {
  if (!find_diagnostic_kind(line.text)) {
    std::vector<std::string> known;
    for (const DiagnosticKind& kind : diagnostic_kinds()) known.emplace_back(kind.name);
    return Error{fmt::format("{}:{}:{}: unknown diagnostic \"{}\"{}; there are {}", entry.file.string(), line.line,
                             line.column, printable(line.text, 40), did_you_mean(line.text, known), join(known, ", "))};
  }
  entry.finds = line.text;
  int number = 0;
  for (const std::string& source_line : split(text, '\n')) {
    ++number;
    if (source_line.find("// here") != std::string::npos) entry.lines.push_back(number);
  }
  return ok();
}

Error lacks(const CorpusEntry& entry, const std::string& line, const std::string& way_out) {
  return Error{fmt::format("{}: no line \"// {}\" at its head; {}", entry.file.string(), line, way_out)};
}

Done read_expectation(const std::string& text, CorpusEntry& entry) {
  const auto caught = head_lines(text, "Caught as"), emulated = head_lines(text, "Emulated");
  const auto finds = head_lines(text, "Finds"), says = head_lines(text, "Says"), open = head_lines(text, "Open");
  if (entry.folder == CorpusFolder::correct) {
    if (!caught.empty())
      return Error{fmt::format("{}:{}: a correct variant is not caught; take the line out or move the file to wrong/",
                               entry.file.string(), caught[0].line)};
    entry.caught_as = {Status::PASSED};
    return ok();
  }
  if (!finds.empty()) return read_diagnostic(text, finds[0], entry);
  if (caught.empty())
    return lacks(entry, "Caught as: STATUS",
                 "say which verdicts are right, for example \"// Caught as: WRONG, OUT_OF_BOUNDS\"");
  TRY_ASSIGN(entry.caught_as, read_statuses(caught[0], entry));
  if (!emulated.empty()) {
    TRY_ASSIGN(entry.emulated_as, read_statuses(emulated[0], entry));
  }
  for (const HeadLine& line : says) entry.says.push_back(line.text);
  if (!open.empty()) entry.open = open[0].text;
  return ok();
}

Done read_class(const std::string& text, CorpusEntry& entry) {
  if (entry.folder != CorpusFolder::evil) return ok();
  const auto lines = head_lines(text, "Class");
  const auto& classes = exploit_classes();
  if (lines.empty()) return lacks(entry, "Class: LETTER", "say what it attacks, for example \"// Class: A\"");
  const HeadLine& line = lines[0];
  if (line.text.size() == 1 && classes.count(line.text[0])) {
    entry.exploit = line.text[0];
    return ok();
  }
  std::vector<std::string> known;
  for (const auto& [letter, what] : classes) known.push_back(fmt::format("{} ({})", letter, what));
  return Error{fmt::format("{}:{}:{}: unknown class \"{}\"; there are {}", entry.file.string(), line.line, line.column,
                           printable(line.text, 40), join(known, ", "))};
}

Done read_kernel(const std::string& text, CorpusEntry& entry) {
  for (const std::string& name : kernel_names()) {
    TRY_ASSIGN(const VariantInfo info, read_source(text, entry.file.string(), *find_kernel(name)));
    if (info.dtypes.empty()) continue;
    entry.kernel = name;
    entry.gpu = info.gpu;
    return ok();
  }
  return Error{fmt::format("{}: it has no entry point of any kernel ({}); labs/README.md shows one",
                           entry.file.string(), join(kernel_names(), ", "))};
}

// Sources of a folder and of the folders in it, by path. Follows links to folders, through which a lab's own variants
// are part of a corpus.
Result<std::vector<fs::path>> sources_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  const auto follow = fs::directory_options::follow_directory_symlink;
  for (auto at = fs::recursive_directory_iterator(folder, follow, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (at->is_regular_file(error) && has_source_ending(at->path())) files.push_back(at->path());
  if (error) return Error{fmt::format("{}: cannot read: {}", folder.string(), error.message())};
  std::ranges::sort(files);
  return files;
}

Done check_folders(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> known;
  for (const std::string_view name : Spelling<CorpusFolder>::words) known.emplace_back(name);
  fs::directory_iterator entries(folder, error);
  if (error) return Error{fmt::format("{}: cannot read: {}", folder.string(), error.message())};
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) && !contains(known, name))
      return Error{fmt::format("{}: unknown verdict \"{}\"{}; the folders of a corpus are {}", entry.path().string(),
                               name, did_you_mean(name, known), join(known, ", "))};
  }
  return ok();
}

// A run cannot have two variants with the same name.
Done check_names(const Corpus& corpus) {
  for (size_t i = 0; i < corpus.entries.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const CorpusEntry &a = corpus.entries[j], &b = corpus.entries[i];
      if (a.file.parent_path() == b.file.parent_path() && a.kernel == b.kernel && a.name == b.name)
        return Error{fmt::format("{}: the name \"{}\" is in {} as well; rename one", b.file.string(), b.name, a.label)};
    }
  return ok();
}

}  // namespace

Done read_entry_head(const std::string& text, CorpusEntry& entry) {
  const std::string first = split(text, '\n').front();
  if (!starts_with(first, "// ") || first.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
    return Error{entry.file.string() + ":1: begin with a comment that says what it does"};
  entry.about = first.substr(3);
  TRY(read_expectation(text, entry));
  TRY(read_class(text, entry));
  return read_kernel(text, entry);
}

Result<Corpus> read_corpus(const fs::path& folder) {
  Corpus corpus{folder, {}};
  TRY(check_folders(folder));
  std::error_code error;
  for (const CorpusFolder kind : {CorpusFolder::correct, CorpusFolder::wrong, CorpusFolder::evil}) {
    const fs::path home = folder / to_string(kind);
    if (!fs::exists(home, error)) continue;
    TRY_ASSIGN(const auto files, sources_of(home));
    for (const fs::path& file : files) {
      CorpusEntry entry;
      entry.folder = kind;
      entry.file = file;
      entry.name = file.stem().string();
      entry.label = fs::path(file).lexically_relative(folder).string();
      TRY_ASSIGN(const std::string text, read_file(file));
      TRY(read_entry_head(text, entry));
      // A folder inside the corpus may have its own config, for example with more time.
      const std::string config = entry.kernel + ".yaml";
      fs::path owner = file.parent_path();
      while (owner != home && !fs::exists(owner / config, error)) owner = owner.parent_path();
      entry.config = (fs::exists(owner / config, error) ? owner : folder) / config;
      if (!fs::exists(entry.config, error))
        return Error{fmt::format("{}: a {} variant, but there is no {}; write one, a config with the sizes it runs on",
                                 file.string(), entry.kernel, entry.config.string())};
      corpus.entries.push_back(std::move(entry));
    }
  }
  if (corpus.entries.empty())
    return Error{fmt::format("{}: no variant in correct/, wrong/ or evil/", folder.string()),
                 ExitCode::nothing_selected};
  TRY(check_names(corpus));
  return corpus;
}

}  // namespace harness
