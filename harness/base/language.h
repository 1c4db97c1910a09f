// Messages and handouts in the language of the reader: GNU gettext catalogues, languages/NAME.po, whose msgids are the
// English texts of the code (reports/language.py reads the same files). A text without a translation stays English.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"

namespace harness {

struct Catalogue {
  // English text -> its translation. A text with a number, as "{n} case", has one for each form of the plural.
  std::map<std::string, std::vector<std::string>, std::less<>> forms;
  // The same for texts that the store holds with their values filled in: format and translated format.
  std::vector<std::pair<std::string, std::string>> formats;
};

/// "zh", "zh-CN" and "zh_CN.UTF-8" are all zh_CN.po, if there is no zh.po. "en" and nothing are the empty catalogue.
Result<Catalogue> load_catalogue(const std::string& asked);
Catalogue parse_catalogue(const std::string& text);

/// The catalogue is used until the object ends.
class Speaking {
 public:
  explicit Speaking(Catalogue catalogue);
  ~Speaking();
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;

 private:
  Catalogue before_;
};

std::string vtr(std::string_view english, fmt::format_args values);

/// fmt::format in the language.
template <class... Values>
std::string tr(fmt::format_string<Values...> english, Values&&... values) {
  const fmt::string_view text = english;
  return vtr({text.data(), text.size()}, fmt::make_format_args(values...));
}

/// "3 cases"
std::string tr_counted(int64_t n, std::string_view noun);

/// A text that is stored in English, such as a reason: found by the format that it was made from, in one piece or
/// between "; " and ": ".
std::string told(const std::string& text);

}  // namespace harness
