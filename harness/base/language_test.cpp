#include "harness/base/language.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

const char* const made_up = R"(msgid ""
msgstr "Language: eo\n"

#. stored
msgid "{} of {:.3g} cells"
msgstr "el {1:.3g} "
"cxeloj {0}"

#: reports/x.py
msgid "{n} case"
msgid_plural "{n} cases"
msgstr[0] "{n} kazo"
msgstr[1] "{n} kazoj"

#, fuzzy
msgid "not sure"
msgstr "?"

#. stored
msgid "{does}{at} element {cell}"
msgstr "ero {cell}:{at} {does}"

msgid "reads"
msgstr "\"legas\""

msgid "wrong"
msgstr "{} {}"
)";

TEST(Language, TranslatesWhatTheCatalogueHas) {
  const Speaking eo(parse_catalogue(made_up));
  EXPECT_EQ(tr("{} of {:.3g} cells", 3, 64.0), "el 64 cxeloj 3");
  EXPECT_EQ(tr("reads"), "\"legas\"");
  EXPECT_EQ(tr("not sure"), "not sure");
  EXPECT_EQ(tr("not there: {}", 1), "not there: 1");
  EXPECT_EQ(tr_counted(1, "case"), "1 kazo");
  EXPECT_EQ(tr_counted(2, "case"), "2 kazoj");
  EXPECT_EQ(tr_counted(2, "build"), "2 builds");
}

TEST(Language, FindsAStoredTextByItsFormat) {
  const Speaking eo(parse_catalogue(made_up));
  EXPECT_EQ(told("3 of 64 cells"), "el 64 cxeloj 3");
  EXPECT_EQ(told("3 of 64 cells; reads: more"), "el 64 cxeloj 3; \"legas\": more");
  EXPECT_EQ(told("reads at x.cu:7 element 4"), "ero 4: at x.cu:7 \"legas\"");
  EXPECT_EQ(told("reads element 4"), "ero 4: \"legas\"");
  EXPECT_EQ(told("2 cases"), "2 kazoj");
  EXPECT_EQ(told(std::string(200, ';') + "; a: b; a: b"), std::string(200, ';') + "; a: b; a: b");
  EXPECT_EQ(told("2 things: cases"), "2 things: cases");
  EXPECT_EQ(told("something else"), "something else");
}

TEST(Language, AWrongTranslationIsNoCrash) {
  const Speaking eo(parse_catalogue(made_up));
  EXPECT_EQ(tr("wrong"), "wrong");
}

TEST(Language, AFormatOfNothingButAValueMatchesNothing) {
  const Speaking eo(parse_catalogue("#. stored\nmsgid \"{}\"\nmsgstr \"<{}>\"\n"));
  EXPECT_EQ(told("any text"), "any text");
}

TEST(Language, AWordOfTheUserStaysAsItIs) {
  const Speaking eo(parse_catalogue("#. stored\nmsgid \"no \\\"{}\\\"; there is {}\"\nmsgstr \"neniu \\\"{}\\\"; estas {}\"\n"
                                    "msgid \"Summary\"\nmsgstr \"Resumo\"\n"));
  EXPECT_EQ(told("a.yaml:3: no \"Summary\"; there is Summary"), "a.yaml:3: neniu \"Summary\"; estas Resumo");
}

TEST(Language, EndsWithItsObject) {
  { const Speaking eo(parse_catalogue(made_up)); }
  EXPECT_EQ(tr("reads"), "reads");
  EXPECT_EQ(told("3 of 64 cells"), "3 of 64 cells");
}

}  // namespace
}  // namespace harness
