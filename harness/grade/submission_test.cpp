#include "harness/grade/submission.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace harness {
namespace {

class Submission : public ::testing::Test {
 protected:
  void add(const fs::path& file, const std::string& text = "x") {
    fs::create_directories((in() / file).parent_path());
    std::ofstream(in() / file) << text;
  }
  fs::path in() const { return folder_.path() / "in"; }
  fs::path home() const { return folder_.path() / "out"; }
  Staged stage() {
    fs::create_directories(in());
    plan_.home = home();
    plan_.files = policy_;
    auto staged = stage_submission(in(), plan_);
    EXPECT_TRUE(staged) << staged.error().message;
    return staged ? *staged : Staged{};
  }
  static std::vector<std::string> copied(const Staged& staged) {
    std::vector<std::string> files;
    const fs::path out = staged.files.folder;
    for (const auto& entry : fs::recursive_directory_iterator(out))
      if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(out).string());
    std::ranges::sort(files);
    return files;
  }
  std::string outcome() {
    const Staged staged = stage();
    return std::string(to_string(staged.status)) + ": " + staged.reason;
  }

  TemporaryFolder folder_;
  FilePolicy policy_;
  StagePlan plan_ = {.home = {}, .wanted = {"cpu_avx", "cpu_fast"}, .sandbox = "", .labs = *project_root() / "labs"};
};

TEST_F(Submission, IsCopiedWithItsHeadersAndNothingElse) {
  add("cpu_avx.cpp");
  add("cpu_fast.cc");
  add("tile.h");
  add("detail/inner.inl");
  add("detail/other.cpp");
  add("lab/gemm.h");
  add("notes.pdf");
  add("my_try.cpp");
  add(".git/config.h");
  const Staged staged = stage();
  EXPECT_EQ(staged.status, StudentStatus::GRADED) << staged.reason;
  EXPECT_EQ(staged.files.graded, (std::vector<std::string>{"cpu_avx.cpp", "cpu_fast.cc"}));
  EXPECT_EQ(staged.files.extra, (std::vector<std::string>{"lab/", "my_try.cpp"}));
  EXPECT_EQ(staged.files.folder, home() / staged.files.hash);
  EXPECT_EQ(copied(staged),
            (std::vector<std::string>{"cpu_avx.cpp", "cpu_fast.cc", "detail/inner.inl", "detail/other.cpp", "tile.h"}));
}

TEST_F(Submission, IsCopiedWithTheSourcesThatItIncludes) {
  plan_.lab_variants = {"cpu_baseline"};
  policy_.extra = ExtraFiles::refuse;
  add("cpu_avx.cpp", "#include <vector>\n  # include \"tiles.cpp\"\n");
  add("cpu_fast.cpp", "// not: #include \"my_try.cpp\"\n#include \"detail/inner.h\"\r\n");
  add("detail/inner.h", "#include \"../inner sums.cpp\"\n#include <cases_test.cpp>\n");
  for (const char* file : {"tiles.cpp", "inner sums.cpp", "cases_test.cpp"}) add(file);
  EXPECT_EQ(outcome(), "GRADED: ");
  const Staged staged = stage();
  EXPECT_EQ(staged.files.graded, (std::vector<std::string>{"cpu_avx.cpp", "cpu_fast.cpp"}));
  EXPECT_EQ(staged.files.extra, std::vector<std::string>());
  const std::vector<std::string> all = {"cases_test.cpp", "cpu_avx.cpp",    "cpu_fast.cpp",
                                        "detail/inner.h", "inner sums.cpp", "tiles.cpp"};
  EXPECT_EQ(copied(staged), all);
  policy_.extra = ExtraFiles::ignore;
  add("my_try.cpp", "#include \"cpu_baseline.cpp\"\n");
  add("cpu_baseline.cpp");
  EXPECT_EQ(outcome(),
            "GRADED: cpu_baseline.cpp was left out, because a variant of the lab has its name; give it another name");
  EXPECT_EQ(stage().files.extra, (std::vector<std::string>{"cpu_baseline.cpp", "my_try.cpp"}));
  EXPECT_EQ(copied(stage()), all);
}

TEST_F(Submission, IsCopiedWithWhatItIncludesWhateverItsName) {
  add("cpu_avx.cpp", "const float table[] = {\n#include \"table.txt\"\n};\n#include \"Matrix\"\n#include \"lab/my_tiles.h\"\n");
  add("cpu_fast.cpp", "#include \"cpu_fast.txt\"\n");
  for (const char* file : {"data/table.txt", "Matrix", "cpu_fast.txt", "kernel.tcc", "lab/my_tiles.h", "lab/gemm.h", "other.txt"}) add(file);
  EXPECT_EQ(outcome(), "GRADED: ");
  EXPECT_EQ(copied(stage()), (std::vector<std::string>{"Matrix", "cpu_avx.cpp", "cpu_fast.cpp", "cpu_fast.txt", "data/table.txt",
                                                       "kernel.tcc", "lab/my_tiles.h"}));
  fs::create_symlink("/etc/passwd", in() / "secret");
  add("cpu_avx.cpp", "#include \"secret\"\n");
  EXPECT_EQ(outcome(), "REFUSED: secret: a link; hand in the file itself");
  add("cpu_avx.cpp", "const char* text = \"secret\";\n");
  EXPECT_EQ(outcome(), "GRADED: ");
}

// Composing this name would take hours, and the limit of a test's time is what fails.
TEST_F(Submission, MayIncludeANameOfOneMegabyte) {
  std::string name;
  while (name.size() < 960'000) name += "\xcc\x81\xcc\xa3";
  add("cpu_avx.cpp", "#include \"a" + name + "\"\n");
  add("cpu_fast.cpp");
  EXPECT_EQ(outcome(), "GRADED: ");
}

TEST_F(Submission, AFileBesideItsFolderIsNotPartOfIt) {
  add("final/cpu_avx.cpp", "#include <vector>\n");
  add("final/cpu_fast.cpp");
  add("notes/vector");
  EXPECT_EQ(outcome(), "GRADED: ");
  EXPECT_EQ(copied(stage()), (std::vector<std::string>{"cpu_avx.cpp", "cpu_fast.cpp"}));
}

TEST_F(Submission, MayHaveAFolderAroundIt) {
  add("Lab 5/final/cpu_avx.cpp");
  add("Lab 5/final/cpu_fast.cpp");
  add("Lab 5/final/detail/inner.h");
  const Staged staged = stage();
  EXPECT_EQ(staged.status, StudentStatus::GRADED);
  EXPECT_TRUE(fs::exists(fs::path(staged.files.folder) / "detail/inner.h"));
  EXPECT_EQ(staged.files.source, in() / "Lab 5/final");
}

TEST_F(Submission, TheFolderAroundItMayBeNamedLab) {
  add("home/user/lab/lab/cpu_avx.cpp");
  add("home/user/lab/lab/cpu_fast.cpp");
  add("home/user/lab/lab/lab/gemm.h");
  add("home/user/lab/notes.pdf");
  const Staged staged = stage();
  EXPECT_EQ(staged.status, StudentStatus::GRADED) << staged.reason;
  EXPECT_EQ(staged.files.extra, std::vector<std::string>{"lab/"});
  EXPECT_EQ(copied(staged), (std::vector<std::string>{"cpu_avx.cpp", "cpu_fast.cpp"}));
  fs::rename(in() / "home/user/lab/lab", in() / "lab");
  EXPECT_EQ(outcome(), "GRADED: ");
}

TEST_F(Submission, AFolderLabWithHeadersOnlyIsNotAroundIt) {
  add("lab/gemm.h");
  add("cpu_avx.txt");
  const Staged staged = stage();
  EXPECT_EQ(staged.status, StudentStatus::MISNAMED);
  EXPECT_EQ(staged.files.extra, std::vector<std::string>{"lab/"});
  EXPECT_EQ(copied(staged), std::vector<std::string>());
}

TEST_F(Submission, ChangesItsHashWithAnyFileThatIsCompiled) {
  add("cpu_avx.cpp");
  add("tile.h", "1");
  const std::string first = stage().files.hash;
  add("notes.txt");
  EXPECT_EQ(stage().files.hash, first);
  add("tile.h", "2");
  EXPECT_NE(stage().files.hash, first);
}

TEST_F(Submission, WhatIsMissing) {
  EXPECT_EQ(outcome(), "EMPTY: missing: cpu_avx, cpu_fast");
  add("cpu_avx.cpp");
  EXPECT_EQ(outcome(), "MISSING: missing: cpu_fast");
  add("CPU-Fast (2).cpp");
  EXPECT_EQ(outcome(), "MISNAMED: \"cpu_fast\" is not there, but CPU-Fast (2).cpp is; its name must be cpu_fast.cpp");
  fs::remove(in() / "CPU-Fast (2).cpp");
  add("src/cpu_fast.cpp");
  EXPECT_EQ(outcome(), "MISNAMED: \"cpu_fast\" is not there, but src/cpu_fast.cpp is; move it to the top folder");
  add("cpu_avx.cc");
  EXPECT_EQ(outcome(), "REFUSED: cpu_avx.cc and cpu_avx.cpp are both \"cpu_avx\"; keep one");
}

TEST_F(Submission, AnotherEndingIsAWrongNameToo) {
  const auto with = [&](const char* file) {
    add(file);
    const std::string found = outcome();
    fs::remove(in() / file);
    return found;
  };
  add("cpu_avx.cpp");
  const auto is = [](const std::string& file, const std::string& name) {
    return "MISNAMED: \"cpu_fast\" is not there, but " + file + " is; its name must be " + name;
  };
  EXPECT_EQ(with("cpu_fast.CPP"), is("cpu_fast.CPP", "cpu_fast.cpp"));
  EXPECT_EQ(with("cpu_fast.C"), is("cpu_fast.C", "cpu_fast.cpp"));
  EXPECT_EQ(with("cpu_fast.txt"), is("cpu_fast.txt", "cpu_fast.cpp"));
  EXPECT_EQ(with("cpu_fast.TXT"), is("cpu_fast.TXT", "cpu_fast.cpp"));
  EXPECT_EQ(with("cpu_fast"), is("cpu_fast", "cpu_fast.cpp"));
  EXPECT_EQ(with("cpu_fast.c++"), is("cpu_fast.c++", "cpu_fast.cpp"));
  EXPECT_EQ(with("sent/cpu_fast.cu.txt"), is("sent/cpu_fast.cu.txt", "cpu_fast.cu"));
  EXPECT_EQ(with("cpu_fast.old.cpp"), is("cpu_fast.old.cpp", "cpu_fast.cpp"));
  EXPECT_EQ(with("CPU-Fast.hip.cpp"), is("CPU-Fast.hip.cpp", "cpu_fast.hip.cpp"));
  EXPECT_EQ(with("gpu_fast.cpp"), "MISSING: missing: cpu_fast") << "no typing error";
  EXPECT_EQ(with("cpu_fast.pdf"), "MISSING: missing: cpu_fast") << "a report is no source";
  fs::remove(in() / "cpu_avx.cpp");
  EXPECT_EQ(with("cpu_fast.txt"), is("cpu_fast.txt", "cpu_fast.cpp"));
}

TEST_F(Submission, WhatIsRefused) {
  add("cpu_avx.cpp");
  fs::create_symlink("/etc/passwd", in() / "notes");
  EXPECT_EQ(outcome(), "MISSING: missing: cpu_fast") << "a link that nobody reads does no harm";
  fs::create_symlink("/etc/passwd", in() / "cpu_fast.cpp");
  EXPECT_EQ(outcome(), "REFUSED: cpu_fast.cpp: a link; hand in the file itself");
  EXPECT_EQ(stage().files.folder, "");
  fs::remove(in() / "cpu_fast.cpp");
  ASSERT_EQ(mkfifo((in() / "tile.h").c_str(), 0600), 0);
  EXPECT_EQ(outcome(), "REFUSED: tile.h: a device, pipe or socket");
  fs::remove(in() / "tile.h");
  add("cpu_fast.cpp", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(outcome(), "REFUSED: cpu_fast.cpp: 1 MiB are too much for a source");
  fs::remove(in() / "cpu_fast.cpp");
  for (int i = 0; i < 17; ++i) add("part" + std::to_string(i) + ".h", std::string(1 << 20, ' '));
  EXPECT_EQ(outcome(), "REFUSED: its sources are more than 1000 files or 16 MiB");
}

TEST_F(Submission, PoliciesOfTheTeacher) {
  add("cpu_avx.cpp", "1");
  policy_.missing = MissingFiles::refuse;
  EXPECT_EQ(outcome(), "REFUSED: missing: cpu_fast");
  add("CPU-Fast.txt", "2");
  policy_.misnamed = MisnamedFiles::accept;
  EXPECT_EQ(outcome(), "GRADED: CPU-Fast.txt counts as cpu_fast.cpp");
  EXPECT_EQ(*read_file(fs::path(stage().files.folder) / "cpu_fast.cpp"), "2");
  EXPECT_EQ(stage().files.missing, std::vector<std::string>());
  add("cpu_avx.cc", "3");
  policy_.duplicate = DuplicateFiles::first;
  EXPECT_EQ(stage().status, StudentStatus::GRADED);
  EXPECT_EQ(stage().files.graded, (std::vector<std::string>{"cpu_avx.cc", "CPU-Fast.txt"}));
  EXPECT_EQ(stage().files.extra, std::vector<std::string>{"cpu_avx.cpp"});
  policy_.extra = ExtraFiles::refuse;
  EXPECT_EQ(outcome(), "REFUSED: cpu_avx.cpp is not asked for; hand in only cpu_avx, cpu_fast");
}

TEST_F(Submission, AFileWithoutAnEndingIsForTheDeviceOfItsName) {
  plan_.wanted = {"gpu_fast", "cpu_fast"};
  policy_.misnamed = MisnamedFiles::accept;
  add("GPU_fast.txt");
  add("cpu_fast.txt");
  EXPECT_EQ(outcome(), "GRADED: GPU_fast.txt counts as gpu_fast.cu; cpu_fast.txt counts as cpu_fast.cpp");
}

TEST_F(Submission, AFileIsMeantAsTheLongestNameThatFits) {
  policy_.misnamed = MisnamedFiles::accept;
  plan_.wanted = {"cpu_fast", "cpu_fast_blocked"};
  add("cpu_fast_blocked_v2.cpp");
  EXPECT_EQ(outcome(), "MISSING: missing: cpu_fast");
  add("cpu_fast (1).cpp");
  EXPECT_EQ(stage().files.graded, (std::vector<std::string>{"cpu_fast (1).cpp", "cpu_fast_blocked_v2.cpp"}));
}


TEST_F(Submission, AMisnamedLinkIsNotFollowed) {
  add("cpu_avx.cpp");
  fs::create_symlink("/etc/passwd", in() / "cpu_fast.txt");
  policy_.misnamed = MisnamedFiles::accept;
  EXPECT_EQ(outcome(), "UNREADABLE: cpu_fast.txt cannot be read");
}

TEST_F(Submission, AFileAndAFolderOfOneName) {
  add("cpu_avx.cpp");
  add("cpu_fast.cpp");
  add("e\u0301.h/x.h");
  EXPECT_EQ(stage().status, StudentStatus::GRADED);
  add("\u00e9.h");
  EXPECT_EQ(outcome(), "REFUSED: \u00e9.h and the folder of e\u0301.h/x.h have one name; rename one");
}

TEST_F(Submission, TooManyFiles) {
  for (int i = 0; i < 10'001; ++i) add("d/" + std::to_string(i), "");
  EXPECT_EQ(outcome(), "REFUSED: it has more than 10000 files and folders; hand in only the sources");
}

TEST_F(Submission, OneFileIsASubmissionToo) {
  add("cpu_avx.cpp");
  const auto staged = stage_submission(in() / "cpu_avx.cpp", {home(), {"cpu_avx"}, ""});
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->status, StudentStatus::GRADED);
  EXPECT_EQ(staged->files.source, in());
  add("report.pdf");
  EXPECT_EQ(stage_submission(in() / "report.pdf", {home(), {"cpu_avx"}, ""})->reason,
            "neither a folder, a source file nor an archive that the harness reads (zip, tar, tar.gz, tar.xz, tar.bz2, "
            "tar.zst, git bundle)");
}

}  // namespace
}  // namespace harness
