#include "harness/build/files_read.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using Files = std::vector<std::string>;

TEST(FilesOfRule, ReadsWhatCompilersWrite) {
  EXPECT_EQ(files_of_rule("variant.o: /a/mine.cpp /usr/include/stdc-predef.h \\\n  /a/lab/gemm.h\n"),
            (Files{"/a/mine.cpp", "/usr/include/stdc-predef.h", "/a/lab/gemm.h"}));
  EXPECT_EQ(files_of_rule("a.o:\tone\\ name.h two\\#.h $$three.h\n"), (Files{"one name.h", "two#.h", "$three.h"}));
  EXPECT_EQ(files_of_rule("a.o: b.h c: d.h"), (Files{"b.h", "c:", "d.h"}));  // a colon in a name ends no list
  EXPECT_EQ(files_of_rule("nothing"), Files{"nothing"});
  EXPECT_EQ(files_of_rule(""), Files{});
}

TEST(FilesRead, RefusesWhatIsElsewhere) {
  const TemporaryFolder root;
  const fs::path build = root.path() / "build", own = root.path() / "own";
  ASSERT_TRUE(make_folders(build) && make_folders(own));
  ASSERT_TRUE(write_file(own / "a.h", "") && write_file(root.path() / "secret.h", ""));
  fs::create_symlink(root.path() / "secret.h", own / "link.h");
  const Origins origins = {{fs::canonical(own)}, {"/usr"}, false};
  const auto refused = [&](const std::string& rule) {
    EXPECT_TRUE(write_file(build / "variant.d", rule));
    return files_read(build, origins)->refused;
  };
  EXPECT_EQ(refused("a.o: ../own/a.h temporary.s /usr/bin/env"), "");
  EXPECT_EQ(files_read(build, origins)->files, (Files{(own / "a.h").string(), "/usr/bin/env"}));
  EXPECT_EQ(refused("a.o: ../own/a.h ../secret.h"), "../secret.h");
  EXPECT_EQ(refused("a.o: ../own/link.h"), "../own/link.h");
  EXPECT_EQ(refused("a.o: ../own/missing.h"), "../own/missing.h");
  EXPECT_EQ(refused("a.o: ../own-too/a.h"), "../own-too/a.h");
  ASSERT_TRUE(make_folders(own / "b/c") && write_file(own / "b/a.h", ""));
  fs::create_directory_symlink("b/c", own / "link");
  EXPECT_EQ(refused("a.o: ../own/link/../a.h"), "../own/link/../a.h");  // it is own/b/a.h
  EXPECT_EQ(refused("a.o: ../own/b/../a.h /usr/bin/../bin/env"), "");
  const std::string by_system = "/usr/bin/../.." + (own / "link/../a.h").string();
  EXPECT_EQ(refused("a.o: " + by_system), by_system);
  EXPECT_EQ(refused("a.o: ../own/a.h"), "");
  EXPECT_TRUE(write_file(build / list_of_assembler, "a.o: ../own/a.h /usr/lib/liblapack.so"));
  EXPECT_EQ(files_read(build, origins)->refused, "/usr/lib/liblapack.so");
}

}  // namespace
}  // namespace harness
