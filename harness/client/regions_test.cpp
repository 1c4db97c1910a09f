#include "harness/client/regions.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace harness {
namespace {

TEST(Region, EdgesPutDataAgainstThePage) {
  for (const int64_t bytes : {4, 4096, 5000, 12288}) {
    const auto end = Region::make(bytes, Edge::end), start = Region::make(bytes, Edge::start),
               middle = Region::make(bytes, Edge::middle);
    ASSERT_TRUE(end && start && middle);
    EXPECT_EQ(start->offset(), 0);
    EXPECT_LT(end->bytes() - end->offset() - bytes, 64);
    EXPECT_EQ(end->offset() % 64, 0);
    EXPECT_GE(middle->offset(), 4096);
    EXPECT_GE(middle->bytes() - middle->offset() - bytes, 4096);
  }
}

TEST(Region, BandsTellWhatWasWrittenBeside) {
  auto region = *Region::make(100, Edge::middle);
  EXPECT_EQ(region.band_damage("C"), std::nullopt);
  region.data()[100] = std::byte{1};
  region.data()[103] = std::byte{1};
  EXPECT_EQ(region.band_damage("C"), "2 bytes were written after the end of C");
  region.data()[-1] = std::byte{1};
  EXPECT_EQ(region.band_damage("C"), "1 bytes were written before the start of C");
}

TEST(Region, SealedMemoryCannotBeMappedForWriting) {
  auto region = *Region::make(100, Edge::end);
  ASSERT_TRUE(region.seal());
  const auto bytes = static_cast<size_t>(region.bytes());
  EXPECT_EQ(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, region.fd(), 0), MAP_FAILED);
  void* p = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, region.fd(), 0);
  ASSERT_NE(p, MAP_FAILED);
  EXPECT_NE(mprotect(p, bytes, PROT_READ | PROT_WRITE), 0);
  munmap(p, bytes);
}

}  // namespace
}  // namespace harness
