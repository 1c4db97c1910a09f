#include "harness/watch/watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "harness/base/files.h"
#include "harness/watch/code_watch.h"

namespace harness {
namespace {

TEST(Watch, ProcessorTimeOfAnotherProcessGrows) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    for (volatile uint64_t i = 0; i < 20'000'000;) {
      i = i + 1;
    }
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  const auto before = cpu_ms(child);
  char done;
  ASSERT_EQ(read(ready[0], &done, 1), 1);
  const auto after = cpu_ms(child);
  ASSERT_TRUE(before && after);
  EXPECT_GT(*after, *before);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(cpu_ms(child), std::nullopt);
}

TEST(Watch, AProcessIsStoppedWhenAllItsThreadsAre) {
  const pid_t child = fork();
  if (child == 0) {
    std::thread([] {
      for (;;) pause();
    }).detach();
    for (;;) {
    }
  }
  const auto soon = [&](bool stopped) {
    for (int i = 0; i < 2000 && is_stopped(child) != stopped; ++i) usleep(1000);
    return is_stopped(child) == stopped;
  };
  EXPECT_FALSE(is_stopped(child));
  kill(child, SIGSTOP);
  EXPECT_TRUE(soon(true));
  kill(child, SIGCONT);
  EXPECT_TRUE(soon(false));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_stopped(child)) << "it has ended";
}

Mapped from_text(const std::string& maps) {
  return mapped(read_maps(maps), [](const Mapping&) { return false; });
}

TEST(Watch, MapsNameEachFileOnce) {
  const std::string maps =
      "55d000-55e000 r--p 00000000 08:01 17   /x/harness-worker\n"
      "55e000-55f000 r-xp 00001000 08:01 17   /x/harness-worker\n"
      "7f0000-7f1000 rw-p 00000000 00:00 0 \n"
      "7f1000-7f2000 r-xp 00000000 08:01 18   /usr/lib/a b/libopenblasp-r0.3.21.so\n"
      "7f2000-7f3000 r--s 00000000 00:01 19   /memfd:lab (deleted)\n"
      "7ffe00-7fff00 rw-p 00000000 00:00 0    [stack]\n";
  const auto files = from_text(maps).files;
  EXPECT_EQ(files, (std::set<std::string>{"/x/harness-worker", "/usr/lib/a b/libopenblasp-r0.3.21.so", "/memfd:lab (deleted)"}));
  EXPECT_EQ(find_library(files, {"cublas", "openblas"}), "libopenblasp-r0.3.21.so");
  EXPECT_EQ(find_library(files, {"blas"}), std::nullopt);  // not in the middle of a name
  EXPECT_EQ(find_library({"/x/libopenblas.a"}, {"openblas"}), "libopenblas.a");
  EXPECT_EQ(find_library({"/x/libscipy_openblas64_-1234.so"}, {"mkl", "openblas"}), "libscipy_openblas64_-1234.so");
  EXPECT_EQ(find_library({"/x/libfmkl.so", "/x/openblas.so"}, {"mkl", "openblas"}), std::nullopt);
  EXPECT_EQ(find_library({"/usr/lib/blis-pthread/libblas.so.3"}, {"blis"}), "/usr/lib/blis-pthread/libblas.so.3");
  EXPECT_EQ(find_library({"/home/a/blis-lab/libmine.so", "/usr/lib/blis-pthread/notes.so"}, {"blis"}), std::nullopt);
}

TEST(Watch, SeesItsOwnFiles) {
  const auto seen = mapped(getpid());
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->files.contains(fs::read_symlink("/proc/self/exe").string()));
  EXPECT_FALSE(mapped(0));
}

TEST(Watch, CodeThatIsNotTheSystemsIsFound) {
  const std::vector<std::string> own = {"/x/harness-worker", "/x/variant.so"};
  const std::string honest =
      "55e000-55f000 r-xp 00001000 08:01 17   /x/harness-worker\n"
      "7f0000-7f1000 r-xp 00000000 08:01 20   /x/variant.so\n"
      "7f1000-7f2000 r-xp 00000000 08:01 18   /usr/lib/libm.so.6\n"
      "7f2000-7f3000 rw-p 00000000 00:00 0 \n"
      "7f4000-7f5000 rw-p 00000000 08:01 21   /tmp/data\n"
      "7ff000-7ff100 r-xp 00000000 00:00 0    [vdso]\n";
  EXPECT_EQ(find_foreign_code(from_text(honest), own), std::nullopt);
  EXPECT_EQ(find_foreign_code(from_text(honest + "7f6000-7f7000 r-xp 00000000 00:1 2  /tmp/fast (deleted)\n"), own),
            "code from /tmp/fast (deleted)");
  // A variant could put another file under the name of its own, load it and delete it.
  EXPECT_EQ(find_foreign_code(from_text(honest + "7f6000-7f7000 r-xp 00000000 00:1 2  /x/variant.so (deleted)\n"), own),
            "code from /x/variant.so (deleted)");
  EXPECT_EQ(find_foreign_code(from_text(honest + "7f6000-7f7000 r-xp 00000000 00:1 2  /usr/lib/libopenblas.a\n"), own),
            "code from /usr/lib/libopenblas.a");
  EXPECT_EQ(find_foreign_code(from_text(honest + "7f6000-7f7000 rwxp 00000000 00:00 0 \n"), own), "code that is in no file");
  EXPECT_EQ(find_foreign_code(from_text(honest + "7f6000-7f7000 r-xp 00000000 00:1 2  /tmp/lib[vdso]\n"), own),
            "code from /tmp/lib[vdso]");
  EXPECT_EQ(find_foreign_code(from_text(honest + "7ffe00-7fff00 rwxp 00000000 00:00 0    [stack]\n"), own),
            "code on its stack (a nested function of GNU C?)");
  // A process can give names to memory (prctl(PR_SET_VMA_ANON_NAME)).
  EXPECT_EQ(find_foreign_code(from_text(honest + "7f6000-7f7000 r-xp 00000000 00:00 0  [anon:/usr/lib/a.so]\n"), own),
            "code that is in no file");
}

TEST(Watch, CodeThatWasChangedIsInNoFile) {
  const auto foreign = [] { return find_foreign_code(*mapped(getpid()), {fs::read_symlink("/proc/self/exe")}); };
  ASSERT_EQ(foreign(), std::nullopt);
  const int file = open("/proc/self/exe", O_RDONLY);
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* code = static_cast<char*>(mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0));
  close(file);
  ASSERT_NE(code, MAP_FAILED);
  code[0] = 'x';
  ASSERT_EQ(mprotect(code, page, PROT_READ | PROT_EXEC), 0);
  EXPECT_EQ(foreign(), "code that is in no file");
  munmap(code, page);
}

// A look at each of its pages would take memory that the machine does not have.
TEST(Watch, VeryMuchCodeIsInNoFile) {
  const int file = open("/proc/self/exe", O_RDONLY);
  const size_t bytes = size_t{1} << 46;
  void* code = mmap(nullptr, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_NORESERVE, file, 0);
  close(file);
  ASSERT_NE(code, MAP_FAILED);
  EXPECT_EQ(find_foreign_code(*mapped(getpid()), {fs::read_symlink("/proc/self/exe")}), "code that is in no file");
  munmap(code, bytes);
}

TEST(Watch, ChangedCodeOfTheKernelIsInNoFile) {
  const pid_t child = fork();
  if (child == 0) {
    const auto maps = *read_file("/proc/self/maps");
    for (const Mapping& one : read_maps(maps)) {
      if (one.file != "[vdso]") continue;
      auto* code = reinterpret_cast<char*>(one.begin);
      mprotect(code, one.end - one.begin, PROT_READ | PROT_WRITE);
      *const_cast<volatile char*>(code) = *code;
      mprotect(code, one.end - one.begin, PROT_READ | PROT_EXEC);
    }
    kill(getpid(), SIGSTOP);
    _exit(0);
  }
  int status;
  waitpid(child, &status, WUNTRACED);
  const auto found = find_foreign_code(*mapped(child), {fs::read_symlink("/proc/self/exe")});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(found, "code that is in no file");
}

// Quadratic time would be minutes.
TEST(Watch, ManyMappedFilesCostLittle) {
  std::string maps;
  for (int i = 0; i < 60'000; ++i) maps += "7f0000-7f1000 r--s 00000000 00:01 19   /tmp/" + std::to_string(i) + "\n";
  EXPECT_EQ(from_text(maps).files.size(), 60'000u);
}

// The harness times other variants meanwhile.
TEST(CodeWatch, APausedOneUsesNoProcessorTime) {
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 30'000; ++i)  // with other rights each, so that the Linux kernel does not join them
      (void)!mmap(nullptr, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    raise(SIGSTOP);
    _exit(0);
  }
  int status;
  waitpid(child, &status, WUNTRACED);
  CodeWatch watch(child, {});
  const double at_first_ms = *cpu_ms(getpid());
  for (int i = 0; i < 10; ++i) {
    watch.go_on();
    usleep(15'000);  // a look begins within 10 ms
    watch.pause();
    const double before_ms = *cpu_ms(getpid());
    usleep(20'000);
    EXPECT_LT(*cpu_ms(getpid()) - before_ms, 2);
  }
  EXPECT_GT(*cpu_ms(getpid()) - at_first_ms, 20) << "it has looked";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace harness
