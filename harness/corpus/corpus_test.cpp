#include "harness/corpus/corpus.h"

#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace harness {
namespace {

const TestKernel kernel;
const Register<Kernel> registered(&kernel);

const std::string entry_point = "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {}\n";

CorpusEntry entry_on(CorpusFolder folder) {
  CorpusEntry entry;
  entry.folder = folder;
  entry.file = "wrong/x.cpp";
  return entry;
}

std::string error_of(CorpusFolder folder, const std::string& text) {
  CorpusEntry entry = entry_on(folder);
  const Done read = read_entry_head(text, entry);
  return read ? "" : read.error().message;
}

TEST(CorpusHead, Wrong) {
  CorpusEntry entry = entry_on(CorpusFolder::wrong);
  ASSERT_TRUE(read_entry_head(
      "// Swaps indices.\n// Caught as: WRONG, OUT_OF_BOUNDS\n// Emulated: CRASHED\n// Says: are they?\n"
      "// Says: no\n" +
          entry_point,
      entry));
  EXPECT_EQ(entry.about, "Swaps indices.");
  EXPECT_EQ(entry.kernel, "gemm");
  EXPECT_FALSE(entry.gpu);
  EXPECT_EQ(entry.caught_as, (std::vector<Status>{Status::WRONG, Status::OUT_OF_BOUNDS}));
  EXPECT_EQ(entry.expected(false), entry.caught_as);
  EXPECT_EQ(entry.expected(true), (std::vector<Status>{Status::CRASHED}));
  EXPECT_EQ(entry.says, (std::vector<std::string>{"are they?", "no"}));
}

TEST(CorpusHead, EvilCorrectAndPlanted) {
  CorpusEntry evil = entry_on(CorpusFolder::evil), correct = entry_on(CorpusFolder::correct),
              planted = entry_on(CorpusFolder::wrong);
  ASSERT_TRUE(read_entry_head(
      "// Opens a socket.\n// Caught as: PASSED\n// Class: F\n// Open: no wall yet\n" + entry_point, evil));
  EXPECT_EQ(evil.open, "no wall yet");
  EXPECT_EQ(evil.exploit, 'F');
  EXPECT_EQ(evil.caught_as, (std::vector<Status>{Status::PASSED}));
  ASSERT_TRUE(read_entry_head("// Adds backwards.\n" + entry_point, correct));
  EXPECT_EQ(correct.caught_as, (std::vector<Status>{Status::PASSED}));
  ASSERT_TRUE(read_entry_head(
      "// Has a race.\n// Finds: race_shared\nLAB_GEMM_GPU(float)(...)\na[x] = b;  // here\n", planted));
  EXPECT_EQ(planted.finds, "race_shared");
  EXPECT_EQ(planted.lines, std::vector<int>{4});
  EXPECT_TRUE(planted.gpu);
}

TEST(CorpusHead, WhatIsMissingIsSaid) {
  EXPECT_EQ(error_of(CorpusFolder::correct, entry_point), "wrong/x.cpp:1: begin with a comment that says what it does");
  EXPECT_EQ(error_of(CorpusFolder::wrong, "// Swaps indices.\n" + entry_point),
            "wrong/x.cpp: no line \"// Caught as: STATUS\" at its head; say which verdicts are right, for "
            "example \"// Caught "
            "as: WRONG, OUT_OF_BOUNDS\"");
  EXPECT_EQ(error_of(CorpusFolder::evil, "// Waits.\n// Caught as: TIMEOUT\n" + entry_point),
            "wrong/x.cpp: no line \"// Class: LETTER\" at its head; say what it attacks, for example \"// "
            "Class: A\"");
  EXPECT_EQ(error_of(CorpusFolder::wrong, "// Does nothing.\n// Caught as: WRONG\nint x;\n"),
            "wrong/x.cpp: it has no entry point of any kernel (gemm); labs/README.md shows one");
}

TEST(CorpusHead, WhatIsWrongIsSaidWithItsPosition) {
  const std::string unknown = error_of(CorpusFolder::wrong, "// Has a race.\n// Finds: race_sharde\n" + entry_point);
  EXPECT_TRUE(unknown.starts_with(
      "wrong/x.cpp:2:11: unknown diagnostic \"race_sharde\" (did you mean \"race_shared\"?); "
      "there are race_shared, race_global, "))
      << unknown;
  EXPECT_EQ(error_of(CorpusFolder::wrong, "// Swaps indices.\n// Caught as: OUT_OF_BOUNDS, WORNG\n" + entry_point),
            "wrong/x.cpp:2:30: unknown status \"WORNG\" (did you mean \"WRONG\"?); there are PASSED, WRONG, "
            "COMPILE_ERROR, "
            "CRASHED, TIMEOUT, OUT_OF_MEMORY, OUT_OF_BOUNDS, INPUT_MODIFIED, MISTRUSTED, SUSPECT, UNSTABLE, "
            "THROTTLED, "
            "SKIPPED, CANCELLED");
  EXPECT_EQ(error_of(CorpusFolder::wrong, "// Is right.\n// Caught as: PASSED\n" + entry_point),
            "wrong/x.cpp:2:15: what passes is not wrong; move the file to correct/ or take PASSED out");
  EXPECT_EQ(error_of(CorpusFolder::correct, "// Is right.\n// Caught as: WRONG\n" + entry_point),
            "wrong/x.cpp:2: a correct variant is not caught; take the line out or move the file to wrong/");
  EXPECT_EQ(error_of(CorpusFolder::evil, "// Waits.\n// Caught as: TIMEOUT\n// Class: G\n" + entry_point),
            "wrong/x.cpp:3:11: unknown class \"G\"; there are A (the clock and the statistics), B (a forged "
            "result), C (an "
            "answer that is not computed), D (less work, or other work), E (memory errors that happen to "
            "pass), F (the "
            "machine)");
}

class ReadCorpus : public testing::Test {
 protected:
  void add(const std::string& path, const std::string& text) {
    ASSERT_TRUE(make_folders((folder_.path() / path).parent_path()));
    ASSERT_TRUE(write_file(folder_.path() / path, text));
  }
  std::string error() {
    const auto read = read_corpus(folder_.path());
    if (read) return "";
    std::string message = read.error().message;
    for (size_t at; (at = message.find(folder_.path().string())) != std::string::npos;)
      message.replace(at, folder_.path().string().size(), "DIR");
    return message;
  }
  TemporaryFolder folder_;
};

TEST_F(ReadCorpus, IsReadWithTheFoldersInIt) {
  add("gemm.yaml", "");
  add("correct/plain.cpp", "// Is right.\n" + entry_point);
  add("wrong/planted/race.cu", "// Has a race.\n// Finds: race_shared\nLAB_GEMM_GPU(float)(...)\n");
  add("wrong/right.h", "");
  const auto read = read_corpus(folder_.path());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->entries.size(), 2u);
  EXPECT_EQ(read->entries[0].label, "correct/plain.cpp");
  EXPECT_EQ(read->entries[1].label, "wrong/planted/race.cu");
  EXPECT_EQ(read->entries[1].name, "race");
}

TEST_F(ReadCorpus, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(error(), "DIR: no variant in correct/, wrong/ or evil/");
  add("wrong/x.cpp", "// Is wrong.\n// Caught as: WRONG\n" + entry_point);
  EXPECT_EQ(error(),
            "DIR/wrong/x.cpp: a gemm variant, but there is no DIR/gemm.yaml; write one, a config with the "
            "sizes it runs on");
  add("gemm.yaml", "");
  EXPECT_EQ(error(), "");
  add("wrong/x.cu", "// Is wrong.\n// Caught as: WRONG\nLAB_GEMM_GPU(float)(...)\n");
  EXPECT_EQ(error(), "DIR/wrong/x.cu: the name \"x\" is in wrong/x.cpp as well; rename one");
  add("rong/x.cpp", "");
  EXPECT_EQ(error(),
            "DIR/rong: unknown verdict \"rong\" (did you mean \"wrong\"?); the folders of a corpus are "
            "correct, wrong, evil");
}

}  // namespace
}  // namespace harness
