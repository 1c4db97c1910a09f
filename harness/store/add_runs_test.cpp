#include "harness/store/testing.h"

namespace harness {
namespace {

using namespace testing;

class AddRuns : public StoreFolder {
 protected:
  fs::path other() const { return folder_.path() / "other"; }
  std::string fill_other() const {
    auto store = Store::open(other());
    const std::string id = *store->begin_run(header());
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(store->record_case(id, full_case(i)));
    EXPECT_TRUE(store->end_run(id, "complete"));
    return id;
  }
};

TEST_F(AddRuns, ARunOfAnotherStoreIsTheSameHere) {
  fill(2);
  const std::string id = fill_other();
  auto ours = Store::open(results());
  for (int times = 0; times < 2; ++times) ASSERT_EQ(outcome(ours->add_runs(other())), "ok");
  auto theirs = Store::open(other());
  EXPECT_EQ(document(*ours, id), document(*theirs, id));
  EXPECT_EQ(document(*ours, id)["cases"].size(), 3u);
  EXPECT_EQ(ours->runs()->size(), 2u);
}

TEST_F(AddRuns, ARunThatGoesOnIsLeftOut) {
  auto theirs = Store::open(other());
  ASSERT_TRUE(theirs->begin_run(header()));
  auto ours = Store::open(results());
  ASSERT_EQ(outcome(ours->add_runs(other())), "ok");
  EXPECT_TRUE(ours->runs()->empty());
}

}  // namespace
}  // namespace harness
