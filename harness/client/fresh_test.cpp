// Fresh data, made here and by a real worker; what is seen of that worker from outside.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <set>

#include "harness/check/layer_sum_for_test.h"
#include "harness/client/client.h"
#include "lab/refresh_host.h"

namespace harness {
namespace {

template <class T>
class Refresh : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Refresh, Types);

TYPED_TEST(Refresh, OneElementIsAsTheWholeBuffer) {
  constexpr int64_t count = 1003;  // no multiple of any vector
  std::vector<TypeParam> all(count, 0), single(count, 0);
  lab::refresh(all.data(), 0, count, sizeof(TypeParam), 7);
  for (int64_t i = 0; i < count; ++i) lab::refresh_element(single[static_cast<size_t>(i)], 7, i);
  EXPECT_EQ(all, single);
}

TYPED_TEST(Refresh, ValuesFillTheIntervalAndHaveNoMean) {
  constexpr int64_t count = 100'000;
  std::vector<TypeParam> x(count, 0);
  lab::refresh(x.data(), 0, count, sizeof(TypeParam), lab::refresh_key(1, 2, 3));
  double sum = 0, squares = 0, neighbours = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_GE(x[i], -1);
    EXPECT_LT(x[i], 1);
    sum += x[i];
    squares += double(x[i]) * x[i];
    neighbours += i > 0 ? double(x[i]) * x[i - 1] : 0;
  }
  // Six standard deviations of uniform ones.
  EXPECT_NEAR(sum / count, 0, 6 * 0.577 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 6 * 0.298 / std::sqrt(count));
  EXPECT_NEAR(neighbours / count, 0, 6 * 0.333 / std::sqrt(count));
  EXPECT_GT(std::set<TypeParam>(x.begin(), x.end()).size(), count * 0.99);
}

TYPED_TEST(Refresh, EveryCallBufferAndSaltIsAnother) {
  std::set<uint64_t> keys;
  for (const uint64_t salt : {0u, 1u})
    for (int call = 0; call < 100; ++call)
      for (int buffer = 0; buffer < 16; ++buffer) keys.insert(lab::refresh_key(salt, call, buffer));
  EXPECT_EQ(keys.size(), 2u * 100 * 16);
  TypeParam near = 0, far = 0;
  lab::refresh_element(near, 5, 1);
  lab::refresh_element(far, 5, (int64_t{1} << 32) + 1);
  EXPECT_NE(near, far);
}

TYPED_TEST(Refresh, AFewElementsInAllPartsAreTouched) {
  for (const int64_t count : {1, 2, 255, 256, 257, 100'003}) {
    std::vector<TypeParam> x(static_cast<size_t>(count), 2);  // no fresh value is 2
    lab::touch(x.data(), count, sizeof(TypeParam), lab::refresh_key(1, 2, 3));
    const auto untouched = std::count(x.begin(), x.end(), TypeParam{2});
    EXPECT_EQ(count - untouched, std::min<int64_t>(count, 256));
    // No part of the buffer is left out.
    const int64_t longest_gap = 2 * (count / 256 + 1);
    for (int64_t i = 0; i + longest_gap <= count; ++i)
      EXPECT_LT(std::count(x.begin() + i, x.begin() + i + longest_gap, TypeParam{2}), longest_gap) << i;
  }
  std::vector<TypeParam> x(1000, 2), y = x;
  lab::touch(x.data(), 1000, sizeof(TypeParam), 1);
  lab::touch(y.data(), 1000, sizeof(TypeParam), 2);
  EXPECT_NE(x, y);
}

TYPED_TEST(Refresh, WhatIsNoNumberStaysAsItIs) {
  TypeParam nan, poisoned;
  if constexpr (sizeof nan == 4)
    std::memcpy(&nan, &padding_bits_f32, sizeof nan);
  else
    std::memcpy(&nan, &padding_bits_f64, sizeof nan);
  std::memset(&poisoned, 0xff, sizeof poisoned);
  const TypeParam infinite = std::numeric_limits<TypeParam>::infinity();
  std::vector<TypeParam> x = {1, nan, poisoned, infinite, -1, 2, 3, 4, nan, 0}, y = x;
  lab::refresh(x.data(), 0, 10, sizeof(TypeParam), 1);
  lab::poison(y.data(), 10, sizeof(TypeParam));
  const auto same = [](TypeParam a, TypeParam b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  EXPECT_TRUE(same(x[1], nan) && same(x[8], nan) && same(y[1], nan));
  EXPECT_TRUE(same(x[2], poisoned));
  EXPECT_LT(std::abs(x[3]), 1);
  for (const int i : {0, 3, 4, 9}) EXPECT_TRUE(same(y[static_cast<size_t>(i)], poisoned)) << i;
}

Worker idle_worker(Dtype dtype) {
  WorkerSetup setup;
  setup.sandbox = *find_sandbox("none");
  setup.launcher = fs::path(HARNESS_BUILD_DIR) / "harness-launcher";
  setup.program = fs::path(HARNESS_BUILD_DIR) / "harness-worker";
  setup.dtype = dtype;
  Opened opened;
  auto worker = Worker::start(setup, opened, 30);
  if (!worker) ADD_FAILURE() << worker.error().message;
  return *std::move(worker);
}

// An output that is read is refreshed too, and a variant that does nothing leaves it so.
TEST(Fresh, TheWorkerMakesTheDataThatWeMake) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    for (const int calls : {1, 3}) {
      const auto problem =
          std::make_shared<LayerSum>(dtype, LayerSum::Shape{2, 13, 7, 9, Role::inout});
      const auto inputs = Inputs::draw(problem, Fill::reals, 3, Edge::middle);
      ASSERT_TRUE(inputs);
      auto returned = ReturnedRegions::make(*inputs, protocol::Placement::copied);
      ASSERT_TRUE(returned);
      Worker worker = idle_worker(dtype);
      ASSERT_TRUE(worker.load(*inputs, *returned, protocol::Placement::copied, 30));
      const auto batch = worker.run(calls, protocol::Cache::hot, {Data::Kind::fresh, 77}, 30);
      ASSERT_TRUE(batch) << batch.error().message;
      EXPECT_GT(batch->cpu_ms, 0);
      EXPECT_LT(batch->claimed_ms(), batch->outside_ms);
      const auto taken = worker.take_output(*returned);
      ASSERT_TRUE(taken) << taken.error().message;
      EXPECT_TRUE(*taken);
      const auto wanted = inputs->refreshed(77, calls - 1, Touched::no), other = inputs->refreshed(77, calls, Touched::no);
      ASSERT_TRUE(wanted && other);
      const auto bytes = static_cast<size_t>(problem->output().bytes(dtype));
      EXPECT_EQ(std::memcmp(returned->output().data(), wanted->regions().back().data(), bytes), 0);
      EXPECT_NE(std::memcmp(returned->output().data(), other->regions().back().data(), bytes), 0);
      EXPECT_EQ(returned->damage(*wanted).message, "");  // what pads it is as it was
    }
}

TEST(Fresh, AnOutputThatIsNotReadIsPoisoned) {
  const auto problem = std::make_shared<LayerSum>(Dtype::f32, LayerSum::Shape{1, 5, 5, 5, Role::output});
  const auto inputs = Inputs::draw(problem, Fill::reals, 3, Edge::middle);
  auto returned = ReturnedRegions::make(*inputs, protocol::Placement::copied);
  Worker worker = idle_worker(Dtype::f32);
  ASSERT_TRUE(worker.load(*inputs, *returned, protocol::Placement::copied, 30));
  ASSERT_TRUE(worker.run(2, protocol::Cache::hot, {Data::Kind::fresh, 1}, 30));
  ASSERT_TRUE(worker.take_output(*returned));
  const auto wanted = inputs->refreshed(1, 1, Touched::no);
  EXPECT_EQ(std::memcmp(returned->output().data(), wanted->regions().back().data(), 100), 0);
}

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

TEST(Watch, MapsNameEachFileOnce) {
  const std::string maps =
      "55d000-55e000 r--p 00000000 08:01 17   /x/harness-worker\n"
      "55e000-55f000 r-xp 00001000 08:01 17   /x/harness-worker\n"
      "7f0000-7f1000 rw-p 00000000 00:00 0 \n"
      "7f1000-7f2000 r-xp 00000000 08:01 18   /usr/lib/a b/libopenblasp-r0.3.21.so\n"
      "7f2000-7f3000 r--s 00000000 00:01 19   /memfd:lab (deleted)\n"
      "7ffe00-7fff00 rw-p 00000000 00:00 0    [stack]\n";
  const auto files = files_of_maps(maps);
  EXPECT_EQ(files, (std::vector<std::string>{"/x/harness-worker", "/usr/lib/a b/libopenblasp-r0.3.21.so",
                                             "/memfd:lab"}));
  EXPECT_EQ(find_library(files, {"cublas", "openblas"}), "libopenblasp-r0.3.21.so");
  EXPECT_EQ(find_library(files, {"blas"}), std::nullopt);  // not in the middle of a name
  EXPECT_EQ(find_library({"/x/libopenblas.a", "/x/openblas.so"}, {"openblas"}), std::nullopt);
}

TEST(Watch, SeesItsOwnFiles) {
  const auto files = mapped_files(getpid());
  ASSERT_TRUE(files);
  EXPECT_NE(std::find(files->begin(), files->end(), fs::read_symlink("/proc/self/exe").string()), files->end());
  EXPECT_EQ(mapped_files(0), std::nullopt);
}

TEST(Watch, MemoryThatIsNotThereIsToldFromMemoryThatIs) {
  int64_t value = 42, copy = 0;
  const auto at = [&](uint64_t from) {
    return std::vector<Peek>{{from, reinterpret_cast<std::byte*>(&copy), sizeof copy}};
  };
  EXPECT_EQ(peek(getpid(), at(reinterpret_cast<uint64_t>(&value))), Peeked::all);
  EXPECT_EQ(copy, 42);
  EXPECT_EQ(peek(getpid(), at(8)), Peeked::unreadable);
}

TEST(Watch, ReadingThatIsRefusedIsToldFromMemoryThatIsNotThere) {
  const pid_t child = fork();
  if (child == 0) {
    sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program = {4, steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      _exit(2);
    int64_t value = 42, copy = 0;
    const Peeked peeked = peek(getpid(), {{reinterpret_cast<uint64_t>(&value), reinterpret_cast<std::byte*>(&copy),
                                           sizeof copy}});
    _exit(peeked == Peeked::not_permitted && copy == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace harness
